export interface BuildContext {
  root: string
  env: NodeJS.ProcessEnv
  say: (line: string) => void
}
export function buildWeb(context: BuildContext): Promise<boolean>
export function isWebBuilt(root: string): boolean
