/** The widget's own look; nothing of the page's reaches into it, and nothing of it out. */
export const STYLE = `
*{box-sizing:border-box}
.root{--side:20px;
--panel:light-dark(#fff,#17191d);--text:light-dark(#1c2128,#e8eaee);--second:light-dark(#59616d,#aeb5c0);
--line:light-dark(#e2e5ea,#363b44);--soft:light-dark(#eef1f4,#262a31);--accent:var(--colour,#2c56b5);--on:var(--on-colour,#fff);
--bad:light-dark(#b3261e,#ffb4a9);
color-scheme:light dark;direction:ltr;text-align:start;color:var(--text);
font:15px/22px system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
button,input,textarea{font:inherit;color:inherit;letter-spacing:normal}
button{cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
svg{width:22px;height:22px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.launcher{position:fixed;inset-block-end:20px;width:56px;height:56px;border:0;border-radius:50%;background:var(--accent);color:var(--on);
box-shadow:0 4px 16px rgb(0 0 0/.22);display:grid;place-items:center}
.right .launcher,.right .panel{right:var(--side)}
.left .launcher,.left .panel{left:var(--side)}
.badge{position:absolute;top:-4px;right:-4px;min-width:22px;height:22px;padding:0 6px;border-radius:11px;background:#b3261e;color:#fff;font-size:13px}
.panel{position:fixed;inset-block-end:88px;width:min(390px,calc(100vw - 24px));height:min(640px,calc(100dvh - 108px));display:flex;
flex-direction:column;background:var(--panel);border:1px solid var(--line);border-radius:14px;box-shadow:0 10px 36px rgb(0 0 0/.2);overflow:hidden}
.panel[hidden]{display:none}
:host([data-inline]) .root{height:100%}
:host([data-inline]) .panel{position:static;width:100%;height:100%;min-height:420px;box-shadow:none}
.head{display:flex;align-items:center;gap:8px;padding:12px 8px 12px 16px;border-block-end:1px solid var(--line)}
.head h2{flex:1;font:inherit;font-weight:600;margin:0}
.plain{border:0;background:none;min-width:44px;min-height:44px;display:grid;place-items:center;border-radius:8px;padding:0}
.plain:hover{background:var(--soft)}
.notice,.ask p{margin:0}
.notice{padding:8px 16px;background:var(--soft);font-size:13px;line-height:18px}
.notice.bad{color:var(--bad)}
.log{flex:1;overflow-y:auto;padding:16px;display:flex;flex-direction:column;gap:10px;overscroll-behavior:contain}
.entry{display:flex;flex-direction:column;gap:2px;max-width:86%;align-self:flex-start;overflow-wrap:anywhere}
.entry.user{align-self:flex-end;align-items:flex-end}
.event{align-self:center;text-align:center;font-size:13px;color:var(--second)}
.who{font-size:12px;line-height:16px;color:var(--second);padding:0 4px}
.text{padding:10px 14px;border-radius:14px;background:var(--soft)}
.user .text{background:var(--accent);color:var(--on)}
.agent .text{background:none;border:1px solid var(--line)}
.text p,.text ul,.text ol{margin:0 0 8px;padding-inline-start:0}
.text ul,.text ol{padding-inline-start:20px}
.text>:last-child{margin-block-end:0}
.text a{color:inherit}
.text table{border-collapse:collapse;font-size:14px;display:block;overflow-x:auto}
.text th,.text td{border:1px solid var(--line);padding:3px 8px;text-align:start}
.text code{font-family:ui-monospace,Consolas,monospace;font-size:.92em}
.under{display:flex;align-items:center;gap:2px;min-height:20px;font-size:13px;color:var(--second);flex-wrap:wrap}
details{flex:1;padding:2px 4px}
summary{cursor:pointer;min-height:24px}
details p{margin:4px 0;color:var(--text)}
.thumb{border:0;background:none;width:36px;height:36px;border-radius:8px;display:grid;place-items:center;color:var(--second);padding:0}
.thumb:hover{background:var(--soft)}
.thumb[aria-pressed=true]{color:var(--accent)}
.thumb svg{width:18px;height:18px}
.small{border:0;background:none;color:inherit;text-decoration:underline;font-size:13px;min-height:28px;padding:0 4px}
.choices{display:flex;flex-wrap:wrap;gap:8px}
.choice{border:1px solid var(--accent);background:none;border-radius:18px;padding:7px 14px;text-align:start;min-height:36px}
.choice:hover{background:var(--soft)}
.form{display:flex;align-items:flex-end;gap:4px;margin:0 12px;padding:4px;border:1px solid var(--line);border-radius:12px}
.form:focus-within{border-color:var(--accent)}
.form textarea{flex:1;border:0;background:none;resize:none;padding:9px 8px;max-height:140px;min-height:40px;outline:none;field-sizing:content;min-width:0}
.send{border:0;width:40px;height:40px;border-radius:9px;background:var(--accent);color:var(--on);display:grid;place-items:center;flex:none;padding:0}
.send:disabled{opacity:.45}
.foot{padding:6px 16px 10px;text-align:center;font-size:12px;line-height:18px;color:var(--second)}
.foot button{font-size:12px}
.ask{display:flex;flex-direction:column;gap:8px;padding:12px 16px;border-block-start:1px solid var(--line)}
.ask label{display:flex;flex-direction:column;gap:3px;font-size:13px}
.ask input,.ask textarea{border:1px solid var(--line);border-radius:8px;background:var(--panel);padding:8px 10px;min-height:44px;font-size:15px}
.ask .go{border:0;border-radius:8px;background:var(--accent);color:var(--on);min-height:44px}
.stars{display:flex;gap:4px;justify-content:center}
::placeholder{color:var(--second);opacity:1}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(max-width:480px){
:host(:not([data-inline])) .panel{inset:0;width:100%;height:100dvh;border:0;border-radius:0}
.open .launcher{display:none}}
@media(prefers-reduced-motion:no-preference){.panel:not([hidden]){animation:rise .16s ease-out}@keyframes rise{from{transform:translateY(8px);opacity:.4}}}
`

/** Black or white, whichever is read better on a colour: by the contrast of WCAG 2. */
export function readableOn(colour: string): '#fff' | '#000' {
  const [r = 0, g = 0, b = 0] = (/^#([\da-f]{6})$/i.exec(colour)?.[1]?.match(/../g) ?? []).map((pair) => {
    const value = Number.parseInt(pair, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#fff' : '#000'
}
