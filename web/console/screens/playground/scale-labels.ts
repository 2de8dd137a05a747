/** Points nearer to each other than this share a label, in pixels. */
const NEAR = 18

/** Numbers below the points, from 1 in the order of hits; of points that nearly cover each other as `2–4`. */
export function labelsOf(places: readonly number[]): { x: number; text: string }[] {
  const points = places.map((x, index) => ({ x, number: index + 1 })).toSorted((one, other) => one.x - other.x)
  const groups: (typeof points)[] = []
  for (const point of points) {
    const last = groups.at(-1)
    if (last && point.x - (last.at(-1)?.x ?? 0) < NEAR) last.push(point)
    else groups.push([point])
  }
  return groups.map((group) => ({
    x: ((group[0]?.x ?? 0) + (group.at(-1)?.x ?? 0)) / 2,
    text: rangesOf(group.map(({ number }) => number)),
  }))
}

/** 1, 2, 3, 5 as `1–3, 5`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last && number === last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}
