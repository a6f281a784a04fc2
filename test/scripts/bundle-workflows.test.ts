import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { z } from 'zod';

const project = join(import.meta.dirname, '..', '..');
const code = readFileSync(inject('workflowBundle'), 'utf8');
const [, encoded = ''] = /\/\/# sourceMappingURL=data:application\/json;[^,]*base64,(\S+)\s*$/.exec(code) ?? [];
const sourceMap = z
  .object({ sources: z.array(z.string()), mappings: z.string().min(1), sourcesContent: z.undefined().optional() })
  .safeParse(encoded === '' ? undefined : JSON.parse(Buffer.from(encoded, 'base64').toString()));

test('the workflows of a worker share one copy of our modules', () => {
  expect(/preloadModules\(\) \{\s*__webpack_require__\([^)]*"\.\/src\/workflows\/index\.ts"\)/.test(code)).toBe(true);
});

test('what workflows share keeps no state of one of them', () => {
  const shared = (sourceMap.data?.sources ?? []).flatMap(
    (source) => /\/(src\/(?:workflows|shared)\/[^?]+\.ts)$/.exec(source)?.[1] ?? [],
  );
  expect(shared).toContain('src/workflows/deliver-event.ts');
  const stateful = shared.flatMap((file) =>
    readFileSync(join(project, file), 'utf8')
      .split('\n')
      .filter((line) =>
        /^(export )?(let|var) |^(export )?const \w+(: .+)? = (new (Map|Set|WeakMap|WeakSet)\b|\[\]|\{\};)/.test(line),
      )
      .map((line) => `${file}: ${line}`),
  );
  expect(stateful).toEqual([]);
});

test('the bundle takes one byte of memory a character, and its source map has no sources', () => {
  expect(code.match(/[\u0080-\uffff]/g)).toBeNull();
  expect(sourceMap.error).toBeUndefined();
});
