import type { Spans } from '../../../kernel/tracing.ts'
import { type Knowledge, type SearchHit, type SearchStage, withoutNearDuplicates } from '../../knowledge/index.ts'
import type { TurnSettings } from '../turn/settings.ts'

/** Finds passages for one query. */
export type Search = (query: string, options?: SearchOptions) => Promise<SearchHit[]>

export interface SearchOptions {
  /** Default: as many as the settings say. */
  topK?: number
  /** The document to look into; default: all. */
  within?: string
}

/** Passages that are looked at for documents to choose from. */
export const LOOKED_AT = 16

/** A search by the settings of its turn, of which a trace shows every stage. */
export function tracedSearch(
  search: Knowledge['search'],
  { retrieval }: TurnSettings,
  { agent, spans }: { agent: string; spans: Spans },
): Search {
  return (query, { topK, within: document } = {}) =>
    spans.span(
      { agent, type: 'retrieval', name: 'search', input: query },
      (within) =>
        search({
          query,
          ...(topK === undefined ? {} : { topK }),
          ...(document === undefined ? {} : { within: document }),
          parameters: retrieval,
          withSurroundings: true,
          onStage: (stage) => {
            const { name, durationMs } = stage
            within.ended({ agent, type: 'retrieval', name, input: '', output: describe(stage), durationMs })
          },
        }).then(withoutNearDuplicates),
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
