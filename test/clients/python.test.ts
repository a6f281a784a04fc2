import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { runCommand } from './run-command.ts';

const generators = [
  'openapi-python-client==0.29.1',
  'datamodel-code-generator==0.89.0',
  'pydantic[email]==2.14.4',
  'ruff==0.17.6',
];

const api = await useApi();
const folder = tempFolder('python-clients');
const document = join(folder, 'openapi.json');
const packages = join(folder, 'packages');
const env = {
  PYTHONPATH: [packages, folder].join(delimiter),
  PATH: [join(packages, 'bin'), process.env['PATH']].join(delimiter),
};
const python = (...args: string[]) => runCommand('python3', args, { cwd: folder, env });
const generate = (module: string, options: Record<string, string>, ...first: string[]) =>
  python('-m', module, ...first, ...Object.entries(options).flat());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await writeFile(document, (await api.request('GET', '/openapi.json')).text);
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await runCommand('python3', ['-m', 'pip', 'install', ...quietly, '--target', packages, ...generators]);
});

test('openapi-python-client makes a client without a warning, and all of its modules load', async () => {
  const target = join(folder, 'parley_client');
  const options = { '--path': document, '--meta': 'none', '--output-path': target };
  const printed = await generate('openapi_python_client', options, 'generate');
  expect(printed).not.toMatch(/warning|error|unable/i);
  await python(
    '-c',
    `import importlib, pkgutil, parley_client
for module in pkgutil.walk_packages(parley_client.__path__, 'parley_client.'):
    importlib.import_module(module.name)
from parley_client.models import Order, TimelineMessage, ApiNewMessage`,
  );
});

test('datamodel-code-generator makes models for pydantic that load, and read an answer', async () => {
  await generate('datamodel_code_generator', {
    '--input': document,
    '--input-file-type': 'openapi',
    '--output': join(folder, 'models.py'),
    '--output-model-type': 'pydantic_v2.BaseModel',
  });
  const printed = await python(
    '-c',
    `from models import Order, TimelineEntry, NewTag
print(NewTag(name='vip').name, 'id' in Order.model_fields, TimelineEntry.__name__)`,
  );
  expect(printed.trim()).toBe('vip True TimelineEntry');
});
