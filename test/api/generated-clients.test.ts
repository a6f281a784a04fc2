import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

type Document = { components: { schemas: Record<string, unknown> } };

const api = await useApi();
const { body: document, text } = await api.request<Document>('GET', '/openapi.json');
const folder = tempFolder('clients');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compiler = fileURLToPath(new URL('../../node_modules/@typescript/native/bin/tsc', import.meta.url));

/** What the compiler says of files that libraries are checked with, too. Empty: nothing. */
const compile = (...files: string[]): Promise<string> =>
  new Promise((resolve) => {
    const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--module', 'nodenext', '--types', ''];
    execFile(process.execPath, [compiler, ...options, ...files], { cwd: folder }, (_, stdout) => resolve(stdout));
  });

/** Everything that stands below a key anywhere in a document. */
const valuesOf = (key: string, json: string): unknown[] => {
  const found: unknown[] = [];
  JSON.parse(json, (name, value: unknown) => {
    if (name === key) found.push(value);
    return value;
  });
  return found;
};

/** The schemas that a schema names, directly and through others. */
const reachableFrom = (name: string, seen = new Set<string>()): Set<string> => {
  const next = valuesOf('$ref', JSON.stringify(document.components.schemas[name] ?? {})).map(String);
  for (const reference of next) {
    const target = reference.split('/').at(-1) ?? '';
    if (seen.has(target)) continue;
    seen.add(target);
    reachableFrom(target, seen);
  }
  return seen;
};

test('openapi-typescript makes types that compile with skipLibCheck off, and an answer of JSON has one', async () => {
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await writeFile(join(folder, 'api.d.ts'), astToString(await openapiTS(text)));
  await writeFile(
    join(folder, 'client.ts'),
    `import type { components, paths } from './api.d.ts';
type Answer<Path extends keyof paths, Method extends keyof paths[Path]> =
  paths[Path][Method] extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;
export const order = (answer: Answer<'/v1/orders/{id}', 'get'>): string => answer.currency;
export const entry = (line: components['schemas']['TimelineEntry']): string =>
  line.type === 'message' ? line.message.id : line.type === 'run' ? line.run.flow_id : line.at;
`,
  );
  expect(await compile('api.d.ts', 'client.ts')).toBe('');
});

test('no schema of the document contains itself, and each has a name that somebody gave it', () => {
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  expect(names.filter((name) => reachableFrom(name).has(name))).toEqual([]);
});

test('no two schemas of the document make one class, by their names or titles', () => {
  const names = Object.keys(document.components.schemas);
  const titles = valuesOf('title', JSON.stringify(document.components)).filter((title) => typeof title === 'string');
  const classes = [...names, ...titles].map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  expect(classes.filter((name, index) => classes.indexOf(name) !== index)).toEqual([]);
});

test('every alternative of a schema that is chosen by its type has a name of its own', () => {
  const unnamed = Object.entries(document.components.schemas).filter(([, schema]) => {
    const { oneOf } = schema as { oneOf?: { $ref?: string }[] };
    return oneOf?.some(({ $ref }) => $ref === undefined);
  });
  expect(unnamed.map(([name]) => name)).toEqual([]);
});

test('patterns of the document mean the same in the dialects of Python, Rust and Go', () => {
  const patterns = new Set(valuesOf('pattern', text).map(String));
  expect(patterns.size).toBeGreaterThan(5);
  // Properties of Unicode, looking around, and back-references are missing in at least one of them.
  expect([...patterns].filter((pattern) => /\\[pP]\{|\(\?[=!<]|\\[1-9]|\\u\{/.test(pattern))).toEqual([]);
});
