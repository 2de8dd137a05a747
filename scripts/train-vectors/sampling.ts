import type { Random } from '../../test/contract/support/random.ts'
import type { Family } from './families.ts'
import type { Sampler, Text } from './train.ts'

const BATCH_SIZE = 384
/** Half of the batches come from so few domains that siblings are the negatives. */
const FEW_DOMAINS = 6

interface Texts {
  domain: string
  wordings: Text[]
  /** Titles and answers as a page has them. */
  pages: Text[]
}

/** Draws pairs of texts that mean the same, of each family at most one a batch. @param encode rows of a text's words */
export function createSampler(families: readonly Family[], encode: (text: string) => Text): Sampler {
  const all = families.map((family) => textsOf(family, encode)).filter(({ wordings }) => wordings.length >= 2)
  const domains = [...Map.groupBy(all, ({ domain }) => domain).values()]
  return {
    batch(random) {
      const pool = random() < 0.5 ? all : shuffled(domains, random).slice(0, FEW_DOMAINS).flat()
      return shuffled(pool, random)
        .slice(0, BATCH_SIZE)
        .map((texts) => pairOf(texts, random))
    },
  }
}

function textsOf({ domain, zh, en, titles, answers }: Family, encode: (text: string) => Text): Texts {
  const pages = [
    titles.zh,
    titles.en,
    `${titles.zh}\n${answers.zh}`,
    `${titles.en}\n${answers.en}`,
    answers.zh,
    answers.en,
  ]
  return { domain, wordings: [...zh, ...en].map(encode).filter(isSaid), pages: pages.map(encode).filter(isSaid) }
}

const isSaid = (text: Text): boolean => text.length > 0

/** A wording and a page or another wording, in either language. */
function pairOf({ wordings, pages }: Texts, random: Random): [Text, Text] {
  const at = Math.floor(random() * wordings.length)
  const others = random() < 0.5 && pages.length > 0 ? pages : wordings.filter((_, i) => i !== at)
  return [wordings[at] as Text, others[Math.floor(random() * others.length)] as Text]
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items]
  for (let i = result.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1))
    ;[result[i], result[other]] = [result[other] as T, result[i] as T]
  }
  return result
}
