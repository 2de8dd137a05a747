/** Black or white, whichever is read better on a colour: by the contrast of WCAG 2. */
export function readableOn(colour: string): '#fff' | '#000' {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\da-f]{2}/gi) ?? []).map((pair) => {
    const value = Number.parseInt(pair, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#fff' : '#000'
}
