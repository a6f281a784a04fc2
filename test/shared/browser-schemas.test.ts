import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

/**
 * Imports modules one after the other, as a browser would have to: none that is Node's may be asked for, nor may what is Node's alone be named in
 * our own code, however far down. Prints for each why it cannot.
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
  const outcomes = [];
  for (const url of URLS_OF_MODULES)
    outcomes.push(await import(url).then(() => 'imported', (error) => String(error.message)));
  log(JSON.stringify(outcomes));
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

const paths = [...schemas, ...flows];

const readOutcomes = async (): Promise<string[]> => {
  const urls = paths.map((path) => pathToFileURL(path).href);
  const script = importer.replace('URLS_OF_MODULES', JSON.stringify(urls));
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
};

const outcomes = await readOutcomes();

test.for(paths.map((path, index) => [path, outcomes[index]]))('a browser can import %s', ([, outcome]) => {
  expect(outcome).toBe('imported');
});
