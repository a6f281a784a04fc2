import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const mantine = 'node_modules/@mantine';
const styles = `${mantine}/core/styles`;

/** What everything else stands on; no component names them. */
const basis = ['baseline', 'default-css-variables', 'global'];

const read = (file: string): string => readFileSync(file, 'utf8');

/** What these files import from a package, but for types. */
const importedFrom = (pack: string, files: readonly string[]): string[] => {
  const pattern = new RegExp(`import \\{([^}]*)\\} from ['"]${pack}['"]`, 'g');
  return files
    .flatMap((file) => [...read(file).matchAll(pattern)].flatMap(([, names = '']) => names.split(',')))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.split(' as ')[0] ?? name);
};

const pages = globSync('src/web/**/*.{ts,tsx}');
const cssFiles = globSync('src/web/**/*.css');

/** Packages of Mantine that pages use beside the first, each with styles of its own or none. */
const others = [
  ...new Set(
    pages.flatMap((file) => [...read(file).matchAll(/['"]@mantine\/([a-z]+)['"]/g)].map(([, name = '']) => name)),
  ),
].filter((name) => name !== 'core');

/** From a name to the file of Mantine that has it. */
const places = new Map(
  [...read(`${mantine}/core/esm/index.mjs`).matchAll(/import \{([^}]*)\} from "(\.[^"]*)"/g)].flatMap(
    ([, names = '', path = '']) =>
      names
        .split(',')
        .map((name) => [name.trim().split(' as ').at(-1) ?? '', join(mantine, 'core/esm', path)] as const),
  ),
);

/** The names of the styles of these components, and of all that they are built of. */
const stylesOf = (names: readonly string[]): Set<string> => {
  const visited = new Set<string>();
  const visit = (file: string): void => {
    if (visited.has(file)) return;
    visited.add(file);
    for (const [, path = ''] of read(file).matchAll(/from "(\.[^"]*)"/g)) visit(join(dirname(file), path));
  };
  for (const name of names) {
    const file = places.get(name);
    if (file !== undefined) visit(file);
  }
  return new Set(
    [...visited].filter((file) => file.endsWith('.module.mjs')).map((file) => basename(file, '.module.mjs')),
  );
};

const importedStyles = [...read('src/web/look/mantine.css').matchAll(/@mantine\/core\/styles\/([\w-]+)\.css/g)].map(
  ([, name = '']) => name,
);

test('pages import the styles of each Mantine component that they use, and no others', () => {
  const throughOthers = globSync(`${mantine}/{${others.join(',')}}/esm/**/*.mjs`);
  const used = importedFrom('@mantine/core', [...pages, ...throughOthers]);
  expect(used).toContain('Notification');
  expect(importedStyles.toSorted()).toEqual([...basis, ...stylesOf(used)].toSorted());
});

test("pages import Mantine's styles in the order of its own file, as later ones override earlier ones", () => {
  const whole = read(`${mantine}/core/styles.css`);
  const inOrder = importedStyles.toSorted(
    (one, other) => whole.indexOf(read(`${styles}/${one}.css`)) - whole.indexOf(read(`${styles}/${other}.css`)),
  );
  expect(importedStyles).toEqual(inOrder);
  expect(importedStyles.filter((name) => !whole.includes(read(`${styles}/${name}.css`)))).toEqual([]);
});

test('pages import the styles of each other package of Mantine that has some', () => {
  const imported = [...pages, ...cssFiles].map(read).join('\n');
  const missing = others
    .filter((name) => existsSync(`${mantine}/${name}/styles.css`))
    .filter((name) => !imported.includes(`'@mantine/${name}/styles.css'`));
  expect(missing).toEqual([]);
});

test('no style sheet has light-dark(): the build makes variables of it that nothing sets here', () => {
  expect(cssFiles.filter((file) => /light-dark\([^)]/.test(read(file)))).toEqual([]);
});
