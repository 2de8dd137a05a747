import { useSignal } from '@preact/signals'
import { type GetEvaluationReport, getEvaluationReport } from '../../../../clients/typescript/src/index.ts'
import { formatNumber, formatShare } from '../../../shared/words.ts'
import { desk } from '../../api.ts'
import { to } from '../../shell/router.ts'
import { Shown, useResource } from '../../ui/resource.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Tag } from '../../ui/tag.tsx'
import { At } from '../../ui/time.tsx'
import { nameOfCategory, nameOfSet, say } from './words.ts'

type ReportBody = GetEvaluationReport['result']
type Case = ReportBody['cases'][number]

const METRICS = ['answer_accuracy', 'hit_rate', 'recall@1', 'recall@5', 'mrr', 'ndcg@5'] as const

/** One evaluation: how much was right, where it was not, and what to mend. */
export function Report({ id }: { id: string }) {
  const report = useResource(id, (signal) => getEvaluationReport(desk, { path: { report_id: id }, signal }))
  return <Shown of={report}>{(found) => <Found report={found} />}</Shown>
}

function Found({ report }: { report: ReportBody }) {
  const view = useSignal<'wrong' | 'all'>('wrong')
  const wrong = report.cases.filter(({ answer_correct: isRight }) => !isRight)
  return (
    <article class="stack evaluation">
      <header class="row">
        <h2 class="grow">{nameOfSet(report.testset)}</h2>
        <span class="second dense">
          <At at={report.created_at} /> · {say('cases', { n: report.total_queries })}
        </span>
      </header>
      <dl class="evaluation-numbers">
        {METRICS.map((metric) => (
          <div key={metric}>
            <dt class="second small">{say(`metric.${metric}`)}</dt>
            <dd class="big-number">{shown(report[metric])}</dd>
          </div>
        ))}
      </dl>
      {report.recommendations.length > 0 && (
        <section class="stack">
          <h3>{say('advice')}</h3>
          <ul class="stack">
            {report.recommendations.map((each) => (
              <li key={each.issue}>
                <strong>{each.issue}</strong> {each.suggestion}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Categories report={report} />
      <Tabs
        label={say('all')}
        chosen={view.value}
        onChoose={(name) => (view.value = name)}
        tabs={[
          { name: 'wrong', text: say('wrong'), count: wrong.length },
          { name: 'all', text: say('all'), count: report.cases.length },
        ]}
      />
      <ul class="stack">
        {(view.value === 'wrong' ? wrong : report.cases).map((each) => (
          <CaseView key={each.category + each.query} found={each} />
        ))}
      </ul>
    </article>
  )
}

function shown(value: number | null): string {
  return value === null ? '–' : formatShare(value, 1)
}

function Categories({ report }: { report: ReportBody }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{say('category')}</th>
          <th scope="col" class="number">
            {say('count')}
          </th>
          <th scope="col" class="number">
            {say('metric.answer_accuracy')}
          </th>
          <th scope="col" class="number">
            {say('metric.hit_rate')}
          </th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(report.by_category).map(([name, each]) => (
          <tr key={name}>
            <th scope="row">{nameOfCategory(name)}</th>
            <td class="number">{formatNumber(each.total_queries)}</td>
            <td class="number">{shown(each.answer_accuracy)}</td>
            <td class="number">{shown(each.hit_rate)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function CaseView({ found }: { found: Case }) {
  const expected = [...found.expected.sources, ...found.expected.content].join(' · ')
  return (
    <li class="evaluation-case">
      <p class="row">
        <strong class="grow">{found.query}</strong>
        <Tag tone={found.answer_correct ? 'good' : 'bad'}>
          {say('rank')} {found.rank ?? say('notFound')}
        </Tag>
        <a class="small" href={to('playground', { q: found.query })}>
          {say('toPlayground')}
        </a>
      </p>
      {expected && (
        <p class="dense">
          <span class="second">{say('expected')}: </span>
          {expected}
        </p>
      )}
      <p class="dense">
        <span class="second">{say('got')}: </span>
        {found.answer}
      </p>
    </li>
  )
}
