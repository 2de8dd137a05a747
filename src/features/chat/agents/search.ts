import type { Spans } from '../../../kernel/tracing.ts'
import type { Knowledge, SearchHit, SearchStage } from '../../knowledge/index.ts'
import type { TurnSettings } from '../turn/settings.ts'

/** Finds passages for one query. @param topK default: as many as the settings say */
export type Search = (query: string, topK?: number) => Promise<SearchHit[]>

/** A search by the settings of its turn, of which a trace shows every stage. */
export function tracedSearch(
  search: Knowledge['search'],
  { retrieval }: TurnSettings,
  { agent, spans }: { agent: string; spans: Spans },
): Search {
  return (query, topK) =>
    spans.span(
      { agent, type: 'retrieval', name: 'search', input: query },
      (within) =>
        search({
          query,
          ...(topK === undefined ? {} : { topK }),
          parameters: retrieval,
          withSurroundings: true,
          onStage: (stage) => {
            const { name, durationMs } = stage
            within.ended({ agent, type: 'retrieval', name, input: '', output: describe(stage), durationMs })
          },
        }),
      (hits) => hits.map(({ source, score }) => `${score.toFixed(3)} ${source}`).join('\n'),
    )
}

/** The words of a passage with what stands above them. */
export function passageText({ question, content, headingPath, title }: SearchHit): string {
  return [title, ...headingPath, question ?? '', content].join('\n')
}

function describe(stage: SearchStage): string {
  if (stage.name === 'candidates') return `${stage.lexical} lexical, ${stage.vector} vector`
  return `${stage.judged} judged, best ${stage.topScores.map((score) => score.toFixed(3)).join(' ')}`
}
