/** Names of colours that a face has in light and dark, and not values that only fit one of them. */
export const COLOURS = ['grey', 'red', 'orange', 'amber', 'green', 'teal', 'blue', 'violet', 'pink'] as const
export type Colour = (typeof COLOURS)[number]

export interface Label {
  labelId: string
  name: string
  colour: Colour
}
