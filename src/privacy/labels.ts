import { type Finding, type Form, findForms } from './kinds.ts'

const labelled: readonly Form[] = [
  {
    kind: 'name',
    pattern:
      /(?:姓名|收货人|收件人|联系人|寄件人|持卡人)["' ]{0,2}[:：是为]["' ]{0,2}((?:[\u4E00-\u9FFF·](?!话|机|址)){2,4}|[A-Z][A-Za-z'-]{1,20}(?: [A-Z][A-Za-z'-]{1,20}){0,2})/g,
  },
  {
    kind: 'name',
    pattern:
      /(?:my name is|(?:full|customer|recipient|receiver|contact|cardholder) name ?(?:is|[:=])) {0,2}([a-z][a-z'-]{1,20}(?: (?!(?:and|but|i|my|the|from|at|with|is|was|in|on)\b)[a-z][a-z'-]{1,20}){0,2})/gi,
  },
  {
    kind: 'name',
    pattern:
      /我叫((?:欧阳|司马|上官|诸葛|[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常])[\u4E00-\u9FFF]{1,2})/g,
  },
  {
    kind: 'payment',
    pattern:
      /(?<![A-Za-z0-9_])((?:credit_card|debit_card|gift_card|bank_card|bank_account|paypal|alipay|wechat_pay|apple_pay|google_pay|klarna)_\d{4,20})(?![A-Za-z0-9])/g,
  },
  {
    kind: 'payment',
    pattern:
      /(?<![A-Za-z0-9_])((?:pm|pi|ch|cus|card|src|seti|txn|py)_(?=[A-Za-z]{0,30}\d)[A-Za-z0-9]{14,32})(?![A-Za-z0-9])/g,
  },
]

/** Values that a label in the text announces (names) or whose own prefix does (payment ids). */
export function findLabelled(text: string): Finding[] {
  return findForms(text, labelled)
}
