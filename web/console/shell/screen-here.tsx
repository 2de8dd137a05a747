import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { getKnowledgeStats } from '../../../clients/typescript/src/index.ts'
import { desk } from '../api.ts'
import { SCREENS, type Screen, type ScreenName } from '../screens.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Loading } from '../ui/states.tsx'
import { place } from './router.ts'
import { may } from './session.ts'
import { say } from './words.ts'

const loaded = new Map<ScreenName, ComponentType>()

/** The screen that opens first: the inbox, or the first steps where nothing was loaded yet. */
export async function firstScreen(): Promise<ScreenName> {
  if (may('knowledge') && (await isEmpty())) return 'welcome'
  return SCREENS.find(({ group, scope }) => group !== null && may(scope))?.name ?? 'settings'
}

async function isEmpty(): Promise<boolean> {
  return getKnowledgeStats(desk).then(
    ({ total_documents: documents }) => documents === 0,
    () => false,
  )
}

/** The screen of the place, fetched when it is shown for the first time. */
export function ScreenHere() {
  const { screen: name } = place.value
  const screen = SCREENS.find((each) => each.name === name)
  useEffect(() => {
    document.title = screen ? `${say(screen.name)} · Frontdesk` : 'Frontdesk'
  })
  if (name === '') return <Loading />
  if (!screen) return <Empty title={say('unknown')} />
  if (!may(screen.scope)) return <Empty title={say('forbidden')} />
  return <Fetched key={screen.name} screen={screen} />
}

function Fetched({ screen }: { screen: Screen }) {
  const [Component, setComponent] = useState<ComponentType | null>(() => loaded.get(screen.name) ?? null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (Component) return
    screen.load().then(
      (module) => {
        loaded.set(screen.name, module.Screen)
        setComponent(() => module.Screen)
      },
      () => setFailed(true),
    )
  }, [])
  if (hasFailed) {
    return (
      <Empty title={say('failedScreen')}>
        <Button kind="primary" onPress={() => location.reload()}>
          {say('reload')}
        </Button>
      </Empty>
    )
  }
  return Component ? <Component /> : <Loading />
}
