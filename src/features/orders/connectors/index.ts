import type { Scene } from '../../../language/scenes.ts'
import { createOutbound } from '../outbound.ts'
import type { BusinessConnector, ConnectorRegistry } from '../types.ts'
import type { BusinessConfig, ConnectorConfig } from './config.ts'
import { createHttpSystem } from './http.ts'
import { createMcpSystem } from './mcp.ts'
import { type ChangeLedger, onceOnly } from './once.ts'
import { type CallGuard, createRemoteConnector, type RemoteSystem } from './remote.ts'

export { type BusinessConfig, readBusinessConfig } from './config.ts'
export type { ChangeLedger } from './once.ts'
export type { CallGuard } from './remote.ts'

export interface ServedConnector {
  readonly scenes: readonly Scene[]
  readonly connector: BusinessConnector
  close?: () => Promise<void>
}

interface ConnectorPorts {
  /** One breaker per connector, by its name. */
  readonly breakerFor: (name: string) => CallGuard
  readonly ledger: ChangeLedger
}

function createConnector(
  config: ConnectorConfig,
  allowHosts: readonly string[],
  ports: ConnectorPorts,
): ServedConnector {
  const timeoutMs = config.timeout_ms ?? 10_000
  const outbound = createOutbound({ allowHosts, timeoutMs })
  const breaker = ports.breakerFor(config.name)
  const system: RemoteSystem =
    config.type === 'http' ? createHttpSystem(config, outbound, breaker) : createMcpSystem(config, outbound, breaker)
  return {
    // The configuration was checked: these are scenes.
    scenes: config.scenes as Scene[],
    connector: onceOnly(createRemoteConnector(system), ports.ledger),
    close: async () => {
      await system.close?.()
      await outbound.close()
    },
  }
}

/** The connectors of a configuration file, ready for `createConnectorRegistry`. Nothing is connected before it is used. */
export function createConnectors(config: BusinessConfig, ports: ConnectorPorts): ServedConnector[] {
  return config.connectors.map((connector) => createConnector(connector, config.allowHosts, ports))
}

/** Sends each scene to the first connector that serves it and all others to `fallback`, the embedded records. */
export function createConnectorRegistry(
  fallback: BusinessConnector,
  served: readonly ServedConnector[] = [],
): ConnectorRegistry {
  return {
    serves: served.length > 0,
    forScene: (scene) => served.find(({ scenes }) => scenes.includes(scene))?.connector ?? fallback,
    close: async () => {
      await Promise.allSettled(served.map((entry) => entry.close?.()))
    },
  }
}
