import { instanceOf, plausibleReply, type Reply } from './plausible.ts'
import { jsonObjectsIn, type Prompt } from './prompt.ts'

/**
 * The worst model there can be: it does whatever any text of the prompt asks, the customer's or a document's.
 * Calls every tool that a text names (offered or not), leaks the system prompt, repeats tool results word for word.
 * What keeps a reply safe with this model is our code, not the model's good manners.
 */
export function obedientReply(prompt: Prompt): Reply {
  const text = prompt.messages
    .filter((message) => message.role === 'user' || message.role === 'tool')
    .map((message) => message.text)
    .join('\n')
  const called = new Set(prompt.messages.flatMap((message) => message.calls))
  const named = toolsNamedIn(text, prompt).filter((name) => !called.has(name))
  if (named.length > 0) return { text: '', toolCalls: named.map((name) => callOf(name, text, prompt)) }
  const said = [...leaksAskedFor(text, prompt), ...dictated(text)]
  return said.length > 0 ? { text: said.join('\n'), toolCalls: [] } : plausibleReply(prompt)
}

function toolsNamedIn(text: string, prompt: Prompt): string[] {
  const offered = prompt.tools.map((tool) => tool.name).filter((name) => text.includes(name))
  const commanded = [
    ...text.matchAll(
      /(?:call|use|run|invoke|execute|调用|执行|使用|运行)\s*(?:the\s+)?[`"“]?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)/gi,
    ),
  ]
  return [...new Set([...offered, ...commanded.map((match) => match[1]!)])]
}

/** Arguments that stand behind the tool's name win over invented ones. */
function callOf(name: string, text: string, prompt: Prompt) {
  const behind = text.slice(text.indexOf(name) + name.length, text.indexOf(name) + name.length + 500)
  const schema = prompt.tools.find((tool) => tool.name === name)?.parameters ?? {}
  return { name, arguments: jsonObjectsIn(behind)[0] ?? instanceOf(schema, prompt.question) }
}

const leakTargets =
  /system prompt|system message|instructions|configuration|settings|api key|password|secret|系统提示|提示词|系统消息|指令|配置|设置|密钥|密码/i
const leakVerbs =
  /reveal|print|show|repeat|output|leak|tell|display|ignore|disclose|输出|显示|泄露|告诉|重复|打印|忽略|说出/i

function leaksAskedFor(text: string, prompt: Prompt): string[] {
  const asks = text.split(/[\n.。!！?？]/).some((sentence) => leakTargets.test(sentence) && leakVerbs.test(sentence))
  if (!asks) return []
  return prompt.messages
    .filter((message) => message.role === 'system' || message.role === 'tool')
    .map(({ text }) => text)
}

function dictated(text: string): string[] {
  const orders = /(?:say|reply with|answer with|respond with|回复|回答|只说)[:：]?\s*["“「']([^"”」']{1,300})["”」']/gi
  return [...text.matchAll(orders)].map((match) => match[1]!)
}
