import { parseArgs } from 'node:util'
import { startScriptedModel } from './server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    'token-delay': { type: 'string', default: '20' },
    obedient: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`Scripted model: a stand-in for a language model, for trying Frontdesk without one.

  --port N          port on 127.0.0.1 (4010)
  --token-delay MS  pause between two tokens (20)
  --obedient        follow any instruction that stands in the prompt, to see that nothing bad comes of it`)
} else {
  const tokenDelayMs = Number(values['token-delay'])
  const model = await startScriptedModel({
    port: Number(values.port),
    behaviour: { tokenDelayMs, obedient: values.obedient },
  })
  console.log(`The scripted model listens on ${model.url}. Point Frontdesk at it:

  LLM_PROVIDER=openai LLM_BASE_URL=${model.url} LLM_API_KEY=any LLM_MODEL=scripted npm start

Optional:    EMBEDDING_BASE_URL=${model.url} EMBEDDING_MODEL=scripted
             RERANK_BASE_URL=${model.url} RERANK_MODEL=scripted
Anthropic:   LLM_PROVIDER=anthropic LLM_BASE_URL=${model.url}

Ask it something: curl -N ${model.url}/chat/completions -H 'content-type: application/json' \\
  -d '{"stream":true,"messages":[{"role":"user","content":"<passage id=\\"1\\">Returns take 14 days.</passage> How long do returns take?"}]}'`)
  process.once('SIGINT', () => void model.close())
  process.once('SIGTERM', () => void model.close())
}
