import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

/**
 * Imports modules as a browser would have to: none that is Node's may be asked for, nor may what is Node's alone be named in
 * our own code, however far down. Prints why it cannot.
 */
const importer = `
  import { registerHooks, stripTypeScriptTypes } from 'node:module';
  import { readFileSync } from 'node:fs';
  import { fileURLToPath } from 'node:url';
  const log = console.log;
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, { ...context, conditions: ['browser', 'import', 'default'] });
      if (found.url.startsWith('node:')) throw new Error(context.parentURL + ' imports ' + found.url);
      return found;
    },
    load: (url, context, next) => {
      if (url.endsWith('.ts')) {
        const code = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8')).replace(/\\/\\*.*?\\*\\/|\\/\\/.*/gs, '');
        const named = /\\b(Buffer|process|__dirname|require)\\b(?!['":])/.exec(code);
        if (named) throw new Error(url + ' names ' + named[0]);
      }
      return next(url, context);
    },
  });
  for (const name of ['Buffer', 'process', 'setImmediate', 'global']) delete globalThis[name];
  await import(URL_OF_MODULE).then(() => log('imported'), (error) => log(String(error.message)));
`;

const schemas = globSync('src/shared/*/schema.ts');

/** What the builder and the simulator of flows run in a browser: the roots of everything in these folders. */
const flows = [
  'src/shared/custom-fields/values.ts',
  ...globSync('src/shared/flows/definition/{reference,uses,validate}.ts'),
  ...globSync('src/shared/flows/{example,file}.ts'),
  ...globSync('src/shared/flows/templating/render*.ts'),
];

test('there are schemas to import', () => {
  expect(schemas.length).toBeGreaterThan(6);
  expect(flows.length).toBeGreaterThan(5);
});

test.for([...schemas, ...flows])('a browser can import %s', async (path) => {
  const script = importer.replace('URL_OF_MODULE', JSON.stringify(pathToFileURL(path).href));
  const args = [
    '--disable-warning=ExperimentalWarning',

    '--input-type=module',
    '--eval',
    script,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim()).toBe('imported');
});
