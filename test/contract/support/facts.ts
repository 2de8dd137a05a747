const THINGS = [
  ...['kettle', 'lantern', 'ladder', 'umbrella', 'violin', 'hammock', 'compass', 'blanket', 'teapot', 'bicycle'],
  ...['candle', 'pillow', 'wardrobe', 'telescope', 'rucksack', 'toaster', 'carpet', 'mirror', 'guitar', 'notebook'],
  ...['thermos', 'scooter', 'saucepan', 'armchair', 'curtain', 'keyboard', 'snorkel', 'trumpet', 'wallet', 'tripod'],
  ...['doorbell', 'helmet', 'printer', 'speaker', 'aquarium', 'bookcase', 'canoe', 'drill', 'easel', 'flute'],
]

/** Forty things with a question and an answer each, of which no two share the word that matters. */
export const FACTS = THINGS.map((thing, i) => ({
  question: `How heavy is the ${thing}?`,
  answer: `The ${thing} weighs ${100 + 7 * i} grams.`,
}))

/** A document with all of them. */
export const FACTS_DOCUMENT = {
  name: 'weights.md',
  content: FACTS.map(({ question, answer }) => `Q: ${question}\nA: ${answer}`).join('\n\n'),
}

/** Cases that ask for each of them. */
export const FACT_CASES = FACTS.map(({ question, answer }, i) => ({
  query: question,
  expected_sources: [FACTS_DOCUMENT.name],
  expected_content: [answer],
  category: i % 2 === 0 ? 'even' : 'odd',
}))

/** Objects as JSONL. */
export const lines = (objects: readonly object[]): string => objects.map((each) => JSON.stringify(each)).join('\n')
