import { render } from 'preact'
import './tokens.css'
import './base.css'
import './ui/layout.css'
import './ui/ui.css'
import { App } from './app.tsx'

const place = document.getElementById('app')
if (place) render(<App />, place)
