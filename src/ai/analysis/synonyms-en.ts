/** Groups of English words that mean the same to a customer; one group a line. General vocabulary, no domain's own terms. */
export const ENGLISH_SYNONYMS = `
# commerce and service
refund, reimburse, reimbursement, money back, get my money back, repay
return, send back, give back
exchange, swap, replace, replacement
cancel, call off, abort, revoke, cancellation
buy, purchase, order, acquire
price, cost, fee, charge, rate, fare, tariff
pay, payment, settle
invoice, bill, receipt
discount, coupon, voucher, promo code, promotion, rebate
cheap, inexpensive, affordable, low cost
expensive, costly, pricey
free, no charge, free of charge, complimentary, gratis
delivery, shipping, shipment, dispatch, ship, deliver
package, parcel
courier, carrier
track, tracking, trace
arrive, arrival, reach, get here
delay, late, overdue, postpone, hold up
warranty, guarantee
damaged, broken, defective, faulty
missing, lost, disappeared
store, shop, outlet
product, item, goods, merchandise, article
stock, inventory, in stock, available
customer, client, buyer, shopper
seller, merchant, vendor, retailer
supplier, provider
account, profile
sign in, log in, login, log on, signin
sign out, log out, logout, log off
sign up, register, registration, enroll, create an account, open an account, subscribe
unsubscribe, opt out
password, passcode, pin
email, mail, e-mail
phone, telephone, mobile, cell, cellphone, cell phone, smartphone
call, ring, phone, dial
contact, reach, get in touch
help, assist, assistance, support, aid
staff, employee, personnel, worker, team member
manager, supervisor, boss
agent, representative, human, operator
complaint, complain, grievance
feedback, review, comment
policy, rule, regulation, terms
insurance, insured, coverage, cover
claim, file a claim
deductible, excess
quote, estimate, quotation
policyholder, insured person
loan, credit, borrow
bank, lender
salary, wage, wages, pay, earnings, income
tax, vat, duty
compensation, compensate, indemnity
subscription, membership, plan
upgrade, update
downgrade, roll back, rollback, revert
renew, renewal, extend
expire, expiry, expiration, run out, lapse
fraud, scam, phishing
# computing
error, fault, failure, bug, issue, problem, trouble
fail, not work, doesn't work, go wrong
crash, freeze, hang, stuck
slow, sluggish, lag
fast, quick, rapid, speedy, swift
fix, repair, solve, resolve, troubleshoot, remedy
install, set up, setup, installation
uninstall, deinstall, remove
configure, configuration, setting, settings, preferences
delete, remove, erase, wipe, drop, clear
create, make, generate
add, insert, append
change, modify, alter, edit, amend, adjust
enable, turn on, switch on, activate
disable, turn off, switch off, deactivate
start, begin, launch, commence
stop, end, halt, terminate, cease, quit
restart, reboot, reset
open, launch
close, shut, shut down, closed, closure, dismiss
download, fetch
upload, import
export, dump
backup, back up
restore, recover, recovery
copy, duplicate, replicate, clone
move, migrate, transfer, relocate
connect, connection, link
disconnect, disconnected, unplug
internet, web, online, network
wifi, wi-fi, wireless
website, site, web page, webpage
picture, photo, image, photograph
video, clip, film, movie
document, file
folder, directory
application, app, program, software
computer, pc, laptop, desktop
device, gadget, equipment, hardware
screen, display, monitor
message, text, sms
notify, notification, alert, inform, report
verify, verification, confirm, check, validate, authenticate
permission, authorization, access, allowed
require, necessary, mandatory, obligatory, compulsory
allow, permit, let, authorize
forbid, prohibit, ban, forbidden, banned, prohibited, not allowed
limit, restriction, restrict, cap, maximum
support, compatible, compatibility, work with
version, release, edition
default, standard
example, sample, instance
list, show, display, view
find, locate, look for, search, seek
choose, select, pick
use, utilize, usage, using, employ
try, attempt
send, transmit, submit, forward
receive, obtain, acquire
keep, retain, store, save, preserve
split, divide, separate
merge, combine, join, unite
increase, raise, grow, rise, boost
decrease, reduce, lower, lessen, cut, diminish, shrink
large, big, huge, great
small, little, tiny
many, numerous, lots of, a lot of, plenty
few, handful
enough, sufficient, adequate
whole, entire, complete, full, total
part, portion, piece, section
kind, type, sort, category
way, method, means, manner, approach, mode
step, action, measure
reason, cause
result, outcome, consequence, effect
difference, differ, distinction, distinguish
same, identical, equal
similar, alike
new, novel, recent, latest
old, former, previous, prior, earlier
current, present, now, today
often, frequently, how often, regularly
sometimes, occasionally
always, constantly
immediately, at once, right away, instantly
soon, shortly
long, lengthy, duration
time, period
deadline, due date, cutoff
date, day
schedule, timetable, calendar, plan
appointment, reservation, booking, book, reserve
meeting, gathering, event, conference
office, workplace, work, job
address, location, place
country, nation, state
abroad, overseas, foreign, another country, other countries, international
US, USA, United States, America
UK, United Kingdom, Britain
EU, European Union
city, town
home, house, household
travel, trip, journey, travelling
traveler, traveller, passenger
flight, plane, airplane, aircraft
hotel, accommodation, lodging
luggage, baggage, suitcase
car, vehicle, automobile, auto
bike, bicycle
train, railway
bus, coach
taxi, cab
airport, terminal
border, frontier
enter, entry, come in
leave, depart, departure, exit
visit, visitor
luggage allowance, baggage allowance
# people and health
child, kid, children, kids
baby, infant, newborn
parent, mother, father
mother, mom, mum
father, dad
elderly, senior, old people, older adults
person, people, individual, human, someone, somebody
pregnant, pregnancy, expecting
family, relatives
friend, buddy
neighbor, neighbour
colleague, coworker, co-worker
student, pupil
teacher, instructor
school, kindergarten, childcare, nursery, day care
doctor, physician
nurse, caregiver
hospital, clinic
patient, inpatient
medicine, medication, drug, drugs
treatment, therapy, cure, treat
vaccine, vaccination, immunization, jab
test, exam, examination, check
diagnose, diagnosis
disease, illness, sickness
sick, ill, unwell, not well
symptom, symptoms, sign, signs
infect, infection, contract, catch
spread, transmit, transmission, pass on, diffuse
contagious, infectious
virus, germ
mask, facemask, face mask
wash, clean, cleaning, rinse
disinfect, sanitize, sterilize
hand sanitizer, sanitiser, disinfectant
die, death, dead, deceased, pass away, passed away, died
survive, live, stay alive
injury, injure, wound, hurt
pain, ache, hurt
fever, temperature
protect, protection, safeguard, shield
prevent, avoid, stop, avert
safe, secure, safety, security
danger, dangerous, hazard, threat, risk, risky
emergency, urgent
severe, serious, grave, critical
worry, concern, worried, concerned, afraid
recommend, advise, suggest, advice, recommendation, guidance
prepare, preparation, get ready
precaution, precautions, safety measure
quarantine, isolate, isolation
animal, pet, pets
dog, puppy
cat, kitten
food, meal, eat
drink, beverage
water, tap water
clothes, clothing, garment, apparel
shoe, shoes, footwear
size, dimension, dimensions
color, colour
weight, weigh, heavy
gift, present
birthday, anniversary
picture frame, photo frame
# verbs and adjectives of every day
happen, occur, take place
find out, learn
understand, comprehend
explain, clarify, describe
mean, meaning, definition, define, stand for
say, state, mention
ask, request, inquire
answer, reply, response, respond
buy back, repurchase
give, provide, supply, offer
take, bring
wear, put on
own, possess
lose, lost
win, earn
work, function, operate
handle, deal with, manage, cope with
plan, intend
continue, proceed, carry on
finish, complete, done
join, participate, attend, take part
refuse, reject, decline, deny
accept, agree
possible, able
impossible, unable, cannot
probable, chance, probability
sure, certain
difficult, hard, tough
easy, simple, easily
good, fine
bad, poor
best, optimal, ideal
worse, worst
important, essential, crucial
main, major, primary
additional, extra, more, further
special, particular, specific
general, common, usual, normal
again, once more, twice, repeat
near, close, nearby, around
origin, source, come from
name, called
legal, law, lawful
illegal, unlawful
crime, criminal
police, officer
government, authority, authorities
company, firm, business, enterprise
war, conflict
money, cash, funds
rich, wealthy
self-employed, freelancer, freelance
unemployed, jobless, out of work
`
