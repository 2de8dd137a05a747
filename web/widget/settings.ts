import type { GetWidgetSettings } from '../../clients/typescript/src/generated/routes.ts'

/** How the shop wants it to look, and what is offered. */
export type Settings = GetWidgetSettings['result']
