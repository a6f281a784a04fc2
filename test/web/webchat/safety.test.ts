import { expect, test } from 'vitest';
import { endBrowser, visit } from '../helpers/webchat/site.ts';
import { picture } from '../helpers/webchat/talk.ts';

endBrowser();

const attack = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
const script = 'javascript:window.pwned=1';

test('nothing that an agent, a flow or the config says runs in the page of the site', async () => {
  const { double, page, launcher, panel, write } = await visit({
    policy: () => 'object-src *',
    config: {
      title: attack,
      greeting: attack,
      color: 'red;}*{display:none',
      texts: { placeholder: attack, hours: attack },
    },
  });
  await launcher.click();
  await write(attack);
  await panel.getByText(/Sent$/).waitFor();
  double.table.say(double.table.only(), {
    author: 'agent',
    author_name: attack,
    text: `${attack} ${script} https://a.example/"onmouseover="window.pwned=1`,
    image_url: script,
    quick_replies: [attack, script],
    attachments: [
      { id: 'med_1', type: 'file', name: attack, size: 1, url: script },
      { id: 'med_2', type: 'image', name: attack, size: 1, url: 'data:image/svg+xml,<svg onload="window.pwned=1">' },
      { id: 'med_3', type: 'location', latitude: 1, longitude: 2 },
      { id: 'med_4', type: 'contact', name: attack, phone: attack },
    ],
  });
  await panel.locator('.reply').nth(1).click();
  await expect.poll(() => double.table.only().rows.at(-1)?.text).toBe(script);
  const links = `[...document.querySelector('parley-webchat').shadowRoot.querySelectorAll('a')].map(({ href }) => href)`;
  expect(await page.evaluate(links)).toEqual(['https://a.example/']);
  const made = `document.querySelector('parley-webchat').shadowRoot.querySelectorAll('img, script, iframe, object, style').length`;
  expect(await page.evaluate(made)).toBe(0);
  expect(await page.evaluate('window.pwned')).toBeUndefined();
});

test('a site that allows no images sees links, and no style of the chat is missing', async () => {
  const { double, page, launcher, panel, write } = await visit({
    body: '<main><h1>Shop</h1></main>',
    policy: (origin) =>
      `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`,
  });
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  double.table.say(double.table.only(), { text: 'Look', image_url: 'https://pictures.example/a.png' });
  await panel.getByRole('link', { name: 'Open image' }).waitFor();
  double.table.say(double.table.only(), { text: 'Look again', image_url: 'https://pictures.example/b.png' });
  await expect.poll(() => panel.getByRole('link', { name: 'Open image' }).count()).toBe(2);
  const side = `getComputedStyle(document.querySelector('parley-webchat').shadowRoot.querySelector('.launcher')).position`;
  expect(await page.evaluate(side)).toBe('fixed');
  // One image has been tried; the site's address is known from then on.
  expect(await page.evaluate('window.breaches')).toEqual(['img-src https://pictures.example/a.png']);
});

test('a site that allows no recordings sees a link, and one image that is gone turns no other into a link', async () => {
  const { double, page, launcher, panel, write } = await visit({
    policy: (origin) =>
      `default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src https://files.example`,
  });
  await page.route('https://files.example/**', (route) =>
    route.request().url().includes('gone')
      ? route.fulfill({ status: 403 })
      : route.fulfill({ contentType: 'image/svg+xml', body: picture }),
  );
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  const say = (id: string, type: string, name: string) =>
    double.table.say(double.table.only(), {
      attachments: [
        {
          id,
          type,
          name,
          size: 4_000,
          url: `https://files.example/${name}`,
          thumbnail_url: type === 'image' ? `https://files.example/small/${name}` : null,
        },
      ],
    });
  say('med_1', 'image', 'first.png');
  const first = panel.getByRole('img', { name: 'first.png' });
  await first.waitFor();
  expect(await first.getAttribute('src')).toBe('https://files.example/small/first.png');
  await expect.poll(() => first.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(0);
  say('med_2', 'image', 'gone.png');
  await panel.getByRole('link', { name: 'Open image' }).waitFor();
  say('med_3', 'image', 'last.png');
  await panel.getByRole('img', { name: 'last.png' }).waitFor();
  expect(await panel.getByRole('link', { name: 'Open image' }).count()).toBe(1);
  say('med_4', 'audio', attack);
  await panel.getByRole('link', { name: attack }).waitFor();
  expect(await panel.locator('audio').count()).toBe(0);
  expect(await page.evaluate('window.pwned')).toBeUndefined();
});

test('a browser whose storage refuses everything chats as long as the page is open', async () => {
  const { context, double, page, launcher, panel, write, texts } = await visit();
  await context.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get: () => { throw new DOMException('no', 'SecurityError'); } });`);
  await page.reload();
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  double.table.say(double.table.only(), { text: 'Welcome' });
  await panel.getByText('Welcome').waitFor();
  await write('Thanks');
  await expect.poll(() => double.table.only().rows.length).toBe(3);
  await expect.poll(() => texts()).toEqual(['Hi! How can we help?', 'Hello', 'Welcome', 'Thanks']);
});

test('the styles of a site do not reach the chat, and those of the chat not the site', async () => {
  const { page, launcher, panel } = await visit({
    policy: () => 'object-src *',
    body: `<style>* { all: unset !important; color: red !important } parley-webchat { display: none !important; transform: scale(3) !important }</style>
      <main><h1>Shop</h1><button id="own">Own</button></main>`,
  });
  await launcher.click();
  await panel.getByText('Hi! How can we help?').waitFor();
  const size = `getComputedStyle(document.querySelector('parley-webchat').shadowRoot.querySelector('.launcher'))`;
  expect(await page.evaluate(`[${size}.width, ${size}.height]`)).toEqual(['56px', '56px']);
  expect(await page.evaluate('document.adoptedStyleSheets.length')).toBe(0);
});

test('calls before the loader is there are made when it is, in their order', async () => {
  const { page, panel } = await visit({
    policy: () => 'object-src *',
    body: `<main><h1>Shop</h1></main><script>
      window.told = [];
      window.ParleyWebchat = window.ParleyWebchat || [];
      for (const event of ['ready', 'open', 'close']) ParleyWebchat.push(['on', event, () => told.push(event)]);
      ParleyWebchat.push(['open'], ['close'], ['toggle'], ['constructor'], ['nothing']);
    </script>`,
  });
  await panel.getByText('Hi! How can we help?').waitFor();
  await expect.poll(() => page.evaluate('told')).toEqual(['ready', 'open', 'close', 'open']);
});

test('destroy while the widget is loaded leaves nothing, and a listener that throws stops nobody', async () => {
  const { double, page, launcher, panel } = await visit({ policy: () => 'object-src *' });
  let arrive: (value: unknown) => void = () => {};
  double.setFate((_, route) =>
    route.startsWith('widget') ? { until: new Promise((resolve) => (arrive = resolve)) } : {},
  );
  await launcher.click();
  await expect.poll(() => double.asked.some((asked) => asked.includes('widget'))).toBe(true);
  await page.evaluate('ParleyWebchat.destroy()');
  arrive(undefined);
  await page.evaluate('new Promise((done) => setTimeout(done, 100))');
  expect(await page.locator('parley-webchat').count()).toBe(0);
  double.setFate(() => ({}));
  await page.reload();
  await launcher.waitFor();
  await page.evaluate(`window.told = [];
    ParleyWebchat.on('open', () => { throw new Error('of the page'); });
    const off = ParleyWebchat.on('open', () => told.push('never'));
    ParleyWebchat.on('open', () => told.push('open'));
    off();
    ParleyWebchat.open();`);
  await panel.waitFor();
  expect(await page.evaluate('told')).toEqual(['open']);
});

test('a site that puts another body in the place of its own keeps the chat, as it was', async () => {
  const { double, page, launcher, panel, write } = await visit({ policy: () => 'object-src *' });
  await launcher.click();
  await write('Hello');
  await panel.getByText(/Sent$/).waitFor();
  await page.evaluate(`(() => {
    const body = document.createElement('body');
    body.append('The next page');
    document.body.replaceWith(body);
  })()`);
  await panel.getByText('Hello').waitFor();
  await page.evaluate('document.body.replaceChildren("And the next one")');
  await panel.getByText('Hello').waitFor();
  double.table.say(double.table.only(), { text: 'Welcome' });
  await panel.getByText('Welcome').waitFor();
  await page.evaluate('ParleyWebchat.destroy(); document.body.replaceChildren("And the last one")');
  expect(await page.locator('parley-webchat').count()).toBe(0);
});
