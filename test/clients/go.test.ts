import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { runCommand } from './run-command.ts';

const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

const api = await useApi();
const folder = tempFolder('go-client');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// `skip-prune`: it drops what only `webhooks` of a document name, and then names it all the same.
const config = `package: parley
output: client.gen.go
generate: { client: true, models: true }
output-options: { skip-prune: true }
`;

test('oapi-codegen makes a client that compiles, with the bodies of webhooks', async () => {
  const go = (...args: string[]) => runCommand('go', args, { cwd: folder, env: { GOFLAGS: '-mod=mod' } });
  await writeFile(join(folder, 'openapi.json'), (await api.request('GET', '/openapi.json')).text);
  await writeFile(join(folder, 'codegen.yaml'), config);
  await writeFile(join(folder, 'go.mod'), 'module parley\n\ngo 1.24\n');
  await writeFile(
    join(folder, 'uses.go'),
    `package parley

var _ = Order{}.Currency

func message(entry TimelineEntry) (TimelineMessage, error) { return entry.AsTimelineMessage() }

var _ = ApiNewMessage{}
var _ = message
`,
  );
  expect(await go('run', generator, '-config', 'codegen.yaml', 'openapi.json')).not.toMatch(/warning|error/i);
  await go('get', 'github.com/oapi-codegen/runtime@v1.8.0');
  await go('build', './...');
});
