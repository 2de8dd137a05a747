/** A problem that customers report, in their words; `{x}` stands for words that vary and say nothing. */
export interface Problem {
  en: readonly string[]
  zh: readonly string[]
  fix: { en: string; zh: string }
}

const problem = (en: string, zh: string, fixEn: string, fixZh: string): Problem => ({
  en: en.split(' / '),
  zh: zh.split(' / '),
  fix: { en: fixEn, zh: fixZh },
})

export const PROBLEMS: readonly Problem[] = [
  problem(
    'the desk lamp flickers{x} / my lamp keeps flickering{x} / why does the desk lamp flicker{x}',
    '台灯{x}一直闪烁 / 台灯的灯光{x}闪烁不停 / 为什么台灯{x}会闪烁',
    'Update the firmware of the lamp and choose a brightness above 10 %.',
    '请升级台灯固件，并把亮度调到 10% 以上。',
  ),
  problem(
    'the lamp cannot join my wifi network{x} / wifi setup of the desk lamp fails{x} / how do I connect the lamp to wifi{x}',
    '台灯{x}连不上无线网 / 台灯配网{x}总是失败，无线网连不上 / 怎么给台灯{x}连接无线网',
    'The lamp supports 2.4 GHz only; reset it and add it again.',
    '台灯只支持 2.4 GHz，请重置后重新添加。',
  ),
  problem(
    'the robot vacuum cannot find its dock{x} / robot does not return to the charging dock{x} / my vacuum misses the dock{x}',
    '扫地机器人{x}找不到充电座 / 机器人{x}回不了充电座 / 扫地机{x}找不到充电座怎么办',
    'Leave half a metre free beside the dock and wipe the infrared window.',
    '充电座两侧各留半米，并擦拭红外窗口。',
  ),
  problem(
    'the robot lost its map{x} / all maps of the robot vacuum are gone{x} / how can I restore the robot map{x}',
    '扫地机器人{x}地图丢了 / 机器人{x}的地图不见了 / 怎么恢复扫地机器人{x}的地图',
    'Restore the map from the history in the app.',
    '请在 App 的历史地图里恢复。',
  ),
  problem(
    'the side brush of the vacuum is worn{x} / where can I buy a new side brush{x} / I need a replacement side brush{x}',
    '扫地机的边刷{x}磨坏了 / 哪里可以买{x}边刷 / 需要{x}更换边刷',
    'Side brushes are sold in the shop under accessories.',
    '边刷可以在商城配件里购买。',
  ),
  problem(
    'water from the kettle tastes of plastic{x} / plastic smell from the new kettle{x} / how to get rid of the kettle smell{x}',
    '水壶烧的水{x}有塑料味 / 新水壶{x}有异味，塑料味很重 / 怎么去掉水壶{x}的塑料味',
    'Boil water with lemon two times and pour it out.',
    '用柠檬水烧开两遍后倒掉。',
  ),
  problem(
    'limescale builds up in the kettle{x} / how do I remove limescale from the kettle{x} / kettle full of limescale{x}',
    '水壶{x}里有很多水垢 / 怎么清除水壶{x}的水垢 / 水壶{x}结水垢了',
    'Boil the kettle with citric acid, then rinse it.',
    '用柠檬酸煮沸后冲洗。',
  ),
  problem(
    'the projector remote does not pair{x} / how do I pair the remote of the projector{x} / projector remote stopped working{x}',
    '投影仪遥控器{x}配对不上 / 怎么重新配对投影仪{x}遥控器 / 投影仪的遥控器{x}失灵',
    'Hold Home and Menu for three seconds close to the projector.',
    '靠近投影仪按住主页和菜单键三秒。',
  ),
  problem(
    'the picture of the projector is blurred{x} / projector image out of focus and blurred{x} / how do I focus the blurred picture{x}',
    '投影仪画面{x}模糊 / 投影画面{x}对不上焦，很模糊 / 投影仪{x}怎么对焦，画面模糊',
    'Start the automatic focus in the settings.',
    '请在设置里启动自动对焦。',
  ),
  problem(
    'headphones crackle on calls{x} / people hear noise when I call with the headphones{x} / noisy calls with my headphones{x}',
    '耳机通话{x}有杂音 / 用耳机打电话{x}杂音很大 / 耳机{x}通话时对方听到杂音',
    'Update the headphones and turn on wind reduction.',
    '请升级耳机固件并打开降风噪。',
  ),
  problem(
    'only one earbud plays sound{x} / left earbud has no sound{x} / no sound from the right earbud{x}',
    '耳机{x}只有一边有声音 / 左边耳机{x}没有声音 / 右耳机{x}没声音了',
    'Put both earbuds into the case for ten seconds.',
    '把两只耳机放回充电盒十秒。',
  ),
  problem(
    'the filter light of the air purifier stays red{x} / air purifier filter must be replaced{x} / how do I reset the filter light{x}',
    '净化器滤芯灯{x}一直红 / 空气净化器{x}要换滤芯吗 / 怎么重置净化器{x}的滤芯灯',
    'Replace the filter and hold the filter key for five seconds.',
    '更换滤芯后按住滤芯键五秒。',
  ),
  problem(
    'the fingerprint is not recognised by the smart lock{x} / smart lock rejects my fingerprint{x} / fingerprint stopped working on the lock{x}',
    '门锁指纹{x}识别不了 / 智能门锁{x}不认指纹 / 指纹{x}打不开门锁',
    'Enrol the fingerprint again with a dry finger.',
    '擦干手指重新录入指纹。',
  ),
  problem(
    'the smart lock ran out of battery and I am locked out{x} / lock battery empty, cannot get in{x} / locked out because the lock battery died{x}',
    '门锁{x}没电了进不去 / 智能锁电池{x}耗尽被锁在门外 / 门锁没电{x}怎么开门',
    'Hold a power bank against the contacts below the handle.',
    '用充电宝接触把手下方的触点供电。',
  ),
  problem(
    'the coffee machine leaks water{x} / water leaking under the coffee machine{x} / my coffee machine is leaking{x}',
    '咖啡机{x}漏水 / 咖啡机底部{x}一直漏水 / 咖啡机{x}为什么漏水',
    'Seat the tank firmly and replace the seal.',
    '请把水箱装紧并更换密封圈。',
  ),
  problem(
    'the coffee is not hot enough{x} / lukewarm coffee from the machine{x} / how do I make the coffee hotter{x}',
    '咖啡{x}不够热 / 咖啡机出来的咖啡{x}温度太低 / 怎么让咖啡{x}更热',
    'Raise the brewing temperature in the menu.',
    '请在菜单里调高冲泡温度。',
  ),
  problem(
    'rice burns at the bottom of the cooker{x} / rice cooker burns the rice{x} / why is the rice burnt{x}',
    '电饭煲{x}煮饭糊底 / 米饭{x}总是糊底 / 电饭煲为什么{x}糊底',
    'Rinse the rice and use the soft programme.',
    '请淘洗大米并选择软饭模式。',
  ),
  problem(
    'where is my parcel, tracking has not moved{x} / tracking is stuck{x}, parcel not moving / no tracking update for the parcel{x}',
    '包裹{x}物流不更新 / 物流{x}一直没有更新，包裹在哪里 / 快递包裹{x}物流停了',
    'We open an inquiry with the courier after 72 hours.',
    '超过 72 小时我们向快递公司查询。',
  ),
  problem(
    'the refund has not arrived{x} / when will I get my refund{x} / still waiting for the refund{x}',
    '退款{x}还没到账 / 退款什么时候{x}到账 / 一直{x}没收到退款',
    'Refunds take up to ten working days by credit card.',
    '信用卡退款最长十个工作日到账。',
  ),
  problem(
    'no verification code arrives{x} / I never receive the verification code{x} / verification code not sent{x}',
    '收不到{x}验证码 / 验证码{x}一直收不到 / 登录{x}没有收到验证码',
    'Check the message filter or choose a voice call.',
    '请检查短信拦截或改用语音验证码。',
  ),
  problem(
    'I entered a wrong delivery address{x} / how do I change the delivery address{x} / please correct my address{x}',
    '收货地址{x}填错了 / 怎么修改{x}收货地址 / 想换{x}收货地址',
    'Change the address on the order page before dispatch.',
    '发货前可以在订单页修改地址。',
  ),
  problem(
    'the company name on the invoice is wrong{x} / please reissue the invoice with my company title{x} / invoice title must be corrected{x}',
    '发票抬头{x}写错了 / 需要重开{x}公司抬头的发票 / 发票{x}抬头要更正',
    'A correction is possible within 30 days of issue.',
    '开票后 30 天内可以更正。',
  ),
  problem(
    'my coupon does not work{x} / the coupon is greyed out{x} / why can I not use the coupon{x}',
    '优惠券{x}用不了 / 优惠券{x}是灰色的不能用 / 为什么优惠券{x}不可用',
    'Check validity, minimum spend and scope.',
    '请检查有效期、门槛和适用范围。',
  ),
  problem(
    'points were not added after my purchase{x} / my points are missing{x} / where are the points of my order{x}',
    '积分{x}没有到账 / 购物积分{x}少了 / 我的积分{x}怎么没有增加',
    'Link the account; points are merged within 24 hours.',
    '绑定账户后积分在 24 小时内合并。',
  ),
  problem(
    'the app crashes at checkout{x} / app closes when I pay{x}, it crashes / checkout crashes the app{x}',
    'App {x}结算时闪退 / 结算页{x}App 一直闪退 / 付款时{x}App 闪退',
    'Update the app to the newest version.',
    '请升级到最新版本 App。',
  ),
  problem(
    'I want to cancel my membership{x} / how do I end the membership renewal{x} / please cancel the membership{x}',
    '想取消{x}会员 / 怎么取消会员{x}自动续费 / 请帮我取消{x}会员续费',
    'Turn off the renewal under Me, Membership.',
    '在「我的 – 会员」关闭自动续费。',
  ),
  problem(
    'can I pay in instalments{x} / how do instalments work{x} / instalment payment is not offered{x}',
    '可以{x}分期付款吗 / 怎么{x}分期 / 为什么{x}不能分期付款',
    'Instalments are offered from 500 yuan.',
    '满 500 元可以分期。',
  ),
  problem(
    'I was charged twice{x} / the amount was deducted two times, charged twice{x} / double charge on my card{x}',
    '被{x}重复扣款了 / 同一笔{x}重复扣款两次 / 为什么{x}重复扣款',
    'The second charge is released within three days.',
    '重复的扣款三天内退回。',
  ),
  problem(
    'an item is missing in the parcel{x} / the box came incomplete, an item missing{x} / one item was not in the parcel, missing{x}',
    '包裹里{x}少了一件商品 / 收到{x}少发了一件 / 商品{x}少发，包裹里没有',
    'We send the missing item at once.',
    '我们马上补发。',
  ),
  problem(
    'I got the wrong colour{x} / the colour of the item is wrong{x} / wrong colour delivered{x}',
    '颜色{x}发错了 / 收到的{x}颜色不对 / 商家{x}发错颜色',
    'We exchange it free of charge.',
    '我们免费更换。',
  ),
]
