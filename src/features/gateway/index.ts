export { type ChannelSettings, createSenders } from './channels.ts'
export { createOutbox, type Outbox } from './outbox.ts'
export { gatewayRoutes } from './routes.ts'
export { createGateway, type Gateway } from './service.ts'
