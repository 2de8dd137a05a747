/** How many letters must be added, left out, changed or swapped with the next one to make one word of the other. */
export function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const costs = [at(row, j - 1) + 1, at(last, j) + 1, at(last, j - 1) + (isSame ? 0 : 1)]
      row[j] = Math.min(...costs, isSwapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY)
    }
    before = last
    last = row
  }
  return at(last, other.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

/** The name that differs least, whatever the case; of equally near ones the first. Null: there are no names. */
export function nearestName(word: string, names: readonly string[]): { name: string; distance: number } | null {
  const asked = word.toUpperCase()
  return names.reduce<{ name: string; distance: number } | null>((nearest, name) => {
    const distance = editDistance(asked, name)
    return nearest === null || distance < nearest.distance ? { name, distance } : nearest
  }, null)
}
