/** The agents of the assistant, in the order in which a message meets them. */
export const AGENTS: Readonly<Record<string, string>> = {
  router: 'Reads what a message is about, splits it into questions and decides who answers which',
  knowledge: 'Finds passages of the knowledge base and answers from them',
  business: 'Looks up orders, deliveries, refunds and accounts in the shop’s own systems',
  chitchat: 'Answers greetings, thanks and small talk',
  escalation: 'Decides when a person is needed and writes the card for them',
  composer: 'Writes the reply from what the others found, where a language model is configured',
}
