import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { endBrowser, visit } from '../helpers/webchat/site.ts';
import { arabic, picture, talk } from '../helpers/webchat/talk.ts';

const folder = fileURLToPath(new URL('../../../shots/webchat/', import.meta.url));

endBrowser();

for (const width of [1440, 360]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const direction of ['ltr', 'rtl'] as const) {
      test(`webchat ${width} ${colorScheme} ${direction}`, async () => {
        await mkdir(folder, { recursive: true });
        const { page, ...visited } = await visit({
          html: `dir="${direction}"`,
          context: { colorScheme, viewport: { width, height: width > 480 ? 900 : 740 } },
          policy: () => 'object-src *',
          body: `<style>:root { color-scheme: light dark } body { font: 16px/1.6 Georgia, serif; max-width: 900px; margin: 48px auto; padding: 0 24px }</style><main><h1>Linen shirts</h1><p>Woven in small runs, cut to last.</p></main>`,
          ...(direction === 'rtl' && { config: arabic }),
        });
        await page.route('https://pictures.example/**', (route) =>
          route.fulfill({ contentType: 'image/svg+xml', body: picture }),
        );
        const shoot = (name: string) =>
          page.screenshot({ path: `${folder}${name}-${width}-${colorScheme}-${direction}.png` });
        await talk(visited, direction === 'rtl', shoot);
        expect(await page.getByRole('dialog').isVisible()).toBe(true);
      });
    }
  }
}
