import { type CompareEvaluation, compareEvaluation } from '../../../../clients/typescript/src/index.ts'
import { formatNumber, formatShare } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { to } from '../../shell/router.ts'
import { nameOfParam } from '../../ui/params.ts'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Tag } from '../../ui/tag.tsx'
import { At } from '../../ui/time.tsx'
import { say } from './words.ts'

type Compared = CompareEvaluation['result']

const TONES = { better: 'good', worse: 'bad', not_significant: 'plain' } as const

/** Two evaluations of the same questions: what became better or worse, and whether that could be chance. */
export function Comparison({ a, b }: { a: string; b: string }) {
  const compared = useResource(`${a} ${b}`, (signal) => compareEvaluation(desk, { query: { a, b }, signal }))
  return <Shown of={compared}>{(found) => <Found compared={found} />}</Shown>
}

function Found({ compared }: { compared: Compared }) {
  const verdict = compared.metrics.find(({ metric }) => metric === 'answer_accuracy')?.verdict ?? 'not_significant'
  const summary = { better: 'summaryBetter', worse: 'summaryWorse', not_significant: 'summarySame' } as const
  return (
    <article class="stack evaluation">
      <h2>{say(summary[verdict])}</h2>
      <p class="second dense">
        A: <At at={compared.a.created_at} /> · B: <At at={compared.b.created_at} /> ·{' '}
        {say('shared', { n: compared.shared_cases })}
      </p>
      {compared.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      <Metrics metrics={compared.metrics} />
      <Settings compared={compared} />
      <Changed title={say('improved')} cases={compared.improved} />
      <Changed title={say('worsened')} cases={compared.worsened} />
    </article>
  )
}

function Metrics({ metrics }: { metrics: Compared['metrics'] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{say('metric')}</th>
          <th scope="col" class="number">
            A
          </th>
          <th scope="col" class="number">
            B
          </th>
          <th scope="col" class="number">
            {say('difference')}
          </th>
          <th scope="col" class="number">
            {say('range')}
          </th>
          <th scope="col">{say('verdict')}</th>
        </tr>
      </thead>
      <tbody>
        {metrics.map((each) => (
          <tr key={each.metric}>
            <th scope="row">{say(`metric.${each.metric as 'mrr'}`)}</th>
            <td class="number">{formatShare(each.a, 1)}</td>
            <td class="number">{formatShare(each.b, 1)}</td>
            <td class="number">{signed(each.difference)}</td>
            <td class="number">
              {signed(each.low)} … {signed(each.high)}
            </td>
            <td>
              <Tag tone={TONES[each.verdict]}>{say(`verdict.${each.verdict}`)}</Tag>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function signed(share: number): string {
  return formatNumber(share, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
}

function Settings({ compared: { a, b } }: { compared: Compared }) {
  const changed = Object.keys(b.params).filter((name) => a.params[name] !== b.params[name])
  if (changed.length === 0) return null
  return (
    <section>
      <h3>{say('settingsChanged')}</h3>
      <ul class="dense">
        {changed.map((name) => (
          <li key={name}>
            {nameOfParam(name as 'rrf_k')}:{' '}
            <span class="number">
              {a.params[name]} → {b.params[name]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Changed({ title, cases }: { title: string; cases: Compared['improved'] }) {
  return (
    <section class="stack">
      <h3>
        {title} <span class="number">{cases.length}</span>
      </h3>
      {cases.length === 0 && <p class="second">{say('noneChanged')}</p>}
      <ul class="dense">
        {cases.map((each) => (
          <li key={each.what + each.query} class="row">
            <a class="grow" href={to('playground', { q: each.query })}>
              {each.query}
            </a>
            <span class="second">{say(`what.${each.what}`)}</span>
            <span class="second number">
              {each.rank_a ?? '–'} → {each.rank_b ?? '–'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
