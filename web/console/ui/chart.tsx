import { useEffect, useRef } from 'preact/hooks'
import { formatNumber, formatTime, language } from '../../shared/words.ts'
import { theme } from '../shell/preferences.ts'

export interface Line {
  label: string
  /** One for each time; null: nothing was measured. */
  values: readonly (number | null)[]
  /** A token of the colours. */
  colour: '--accent' | '--second' | '--machine' | '--good'
  isDashed?: boolean
}

/** Lines over time. The library for it is fetched with the first chart. */
export function Chart({ times, lines, label }: { times: readonly number[]; lines: readonly Line[]; label: string }) {
  const ref = useRef<HTMLDivElement>(null)
  const key = JSON.stringify([times, lines.map(({ values }) => values), language.value, theme.value])
  useEffect(() => {
    const box = ref.current
    if (!box) return
    let end = () => {}
    let isGone = false
    void draw(box, times, lines).then((stop) => {
      if (isGone) stop()
      else end = stop
    })
    return () => {
      isGone = true
      end()
    }
  }, [key])
  return <div ref={ref} class="chart" role="img" aria-label={label} />
}

const HEIGHT = 220
const FONT = '12px system-ui, "Noto Sans CJK SC", sans-serif'
const DAY_SECONDS = 86_400

/** Times of an axis as the language writes them: hours of a day, with the day where one begins; else days. */
function labelsOf(seconds: readonly number[]): string[] {
  const [first = 0, second = first + DAY_SECONDS] = seconds
  const day = { day: 'numeric', month: 'short' } as const
  const time = { hour: '2-digit', minute: '2-digit' } as const
  return seconds.map((each) => {
    const at = new Date(each * 1000)
    const isMidnight = at.getHours() === 0 && at.getMinutes() === 0
    return formatTime(at.toISOString(), second - first >= DAY_SECONDS || isMidnight ? day : time)
  })
}

async function draw(box: HTMLElement, times: readonly number[], lines: readonly Line[]): Promise<() => void> {
  const [{ default: Plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')])
  const colour = (token: string) => resolved(box, token)
  const grid = { stroke: colour('--line'), width: 1 }
  const axis = { stroke: colour('--second'), grid, ticks: grid, font: FONT }
  const plot = new Plot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      axes: [
        { ...axis, values: (_, seconds) => labelsOf(seconds) },
        { ...axis, size: 64, values: (_, values) => values.map((value) => formatNumber(value)) },
      ],
      series: [
        {},
        ...lines.map(({ label, colour: token, isDashed }) => ({
          label,
          stroke: colour(token),
          width: 1.5,
          ...(isDashed ? { dash: [5, 4] } : {}),
        })),
      ],
    },
    [times as number[], ...lines.map(({ values }) => values as (number | null)[])],
    box,
  )
  const observer = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }))
  observer.observe(box)
  return () => {
    observer.disconnect()
    plot.destroy()
  }
}

/** A canvas does not know of light and dark: the colour as it is now. */
function resolved(box: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  box.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
