import { randomBytes } from 'node:crypto';
import type { ApiContext } from '../http.ts';

/** The page runs the widget and asks this host, and nothing else. No script can make markup of a text. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src https: http: data:',
    'media-src https: http:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const styles = `
  :root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6775; --line: #e3e7ec; --card: #fff; --page: #f6f7f9; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e8edf2; --soft: #a3b0bd; --line: #2b3742; --card: #18222b; --page: #0f161d; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
  .note { padding: 10px 20px; text-align: center; font-size: 14px; color: #4a3a00; background: #fff3c4; }
  .head { display: flex; gap: 24px; align-items: center; padding: 18px 24px; background: var(--card); border-bottom: 1px solid var(--line); }
  .head b { font-size: 19px; letter-spacing: -0.01em; margin-right: auto; }
  .head span { color: var(--soft); font-size: 15px; }
  main { max-width: 1000px; margin: 0 auto; padding: 40px 24px 120px; }
  h1 { font-size: clamp(28px, 5vw, 42px); line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 12px; max-width: 16ch; }
  .lead { color: var(--soft); margin: 0 0 36px; max-width: 46ch; }
  .goods { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 20px; padding: 0; margin: 0; list-style: none; }
  .good { background: var(--card); border: 1px solid var(--line); border-radius: 16px; overflow: hidden; }
  .good i { display: grid; place-items: center; height: 150px; }
  .good:nth-child(1) i { background: #ffe8d6; } .good:nth-child(2) i { background: #d8f3dc; } .good:nth-child(3) i { background: #dbe7ff; }
  .good div { padding: 14px 16px 18px; }
  .good p { margin: 2px 0 0; color: var(--soft); font-size: 15px; }
  @media (max-width: 560px) { .head span { display: none; } main { padding-top: 28px; } }
`;

/** Drawn, because not every machine has a typeface with pictures. */
const goods = [
  [
    '<path fill="#b3541e" d="M18 30h44v26a14 14 0 0 1-14 14H32a14 14 0 0 1-14-14z"/><path fill="none" stroke="#b3541e" stroke-width="6" d="M62 36h6a9 9 0 0 1 0 18h-6"/>',
    'Morning mug',
    'Holds 400 ml. $18',
  ],
  [
    '<path fill="#2d6a4f" d="M45 46C24 44 20 26 22 14c16 2 24 14 23 32zm0 0c21-2 25-20 23-32-16 2-24 14-23 32z"/><path fill="#9c6644" d="M28 48h34l-5 26H33z"/>',
    'Desk plant',
    'Needs water twice a month. $24',
  ],
  [
    '<path fill="#3a5ba9" d="M20 22c16 10 34 10 50 0l4 14c-18 12-40 12-58 0z"/><path fill="#2b4480" d="M48 40l16-4 8 36-14 3z"/>',
    'Wool scarf',
    'Warm, and not scratchy. $39',
  ],
];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? '');

/** A small shop that shows the webchat of a channel, for people who try it. `id` is the TypeID of the channel. */
export const sendDemoPage = (
  ctx: ApiContext,
  { id, name, requiresIdentity }: { id: string; name: string; requiresIdentity: boolean },
): void => {
  const nonce = randomBytes(16).toString('base64url');
  const about = requiresIdentity
    ? 'This channel requires an identity, so nobody can write here. Turn that off to try the chat.'
    : 'Write in the lower corner: your flows and agents answer as on your own site.';
  ctx.set({ 'Content-Security-Policy': policy(nonce), 'Referrer-Policy': 'same-origin' });
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Demo shop: ${escapeHtml(name)}</title>
    <link rel="icon" href="data:,">
    <style nonce="${nonce}">${styles}</style>
  </head>
  <body>
    <aside class="note"><b>Demo page of the webchat “${escapeHtml(name)}”.</b> This shop is made up. ${about}</aside>
    <nav class="head" aria-label="Shop"><b>Little &amp; Good</b><span>New in</span><span>Home</span><span>Delivery</span></nav>
    <main>
      <h1>Small things for good days</h1>
      <p class="lead">Three favorites of the week. Questions about size, delivery or an order? The chat is in the corner.</p>
      <ul class="goods">${goods
        .map(
          ([picture, title, text]) =>
            `<li class="good"><i><svg viewBox="0 0 90 90" width="96" height="96" aria-hidden="true">${picture}</svg></i><div><b>${title}</b><p>${text}</p></div></li>`,
        )
        .join('')}</ul>
    </main>
    <noscript>The chat needs JavaScript.</noscript>
    <script src="/webchat/${id}.js" async></script>
  </body>
</html>
`;
};
