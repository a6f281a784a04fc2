import { ActionIcon, Code, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { pathTo } from '../../../../shared/flows/blocks/json-leaves.ts';
import { readMappingPath } from '../../../../shared/flows/blocks/mapping-paths.ts';
import type { Json } from '../../../../shared/platform/json/json.ts';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import { CodeLines } from '../../../parts/copy.tsx';
import { textOf } from '../edits/blocks.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { useFields } from '../panel/use-fields.ts';
import { JsonTree } from './json-tree.tsx';
import { MapValue } from './map-value.tsx';
import { mappingsOf, type MappingTable } from './read-request.ts';
import { readSample } from './read-sample.ts';
import { showValue } from './show-value.ts';
import { words } from './words.ts';

/** What another service has answered, of which values can be mapped. */
export type Sample = {
  status: number | null;
  headers: Readonly<Record<string, string | string[]>> | null;
  body: string | null;
  isTruncated: boolean;
};

type Props = Pick<BlockFormProps, 'block' | 'set'> & { sample: Sample; table: MappingTable };

/** The mapped fields by the path of their value, in one spelling: of a place in JSON it is that of the tree. */
const fieldsByPath = (rows: unknown): ReadonlyMap<string, readonly string[]> => {
  const pairs = (mappingsOf(rows) ?? []).flatMap((row): [string, string][] => {
    if (!isObject(row)) return [];
    const path = textOf(row, 'path');
    const read = readMappingPath(path);
    const parts = read.ok && read.source.from === 'json' ? partsOf(read.source.path.query) : undefined;
    return [[parts ? pathTo(parts) : path, textOf(row, 'field')]];
  });
  return new Map(
    Object.entries(Object.groupBy(pairs, ([path]) => path)).map(([path, all = []]) => [
      path,
      all.map(([, field]) => field),
    ]),
  );
};

type Query = { segments: readonly { selectors: readonly object[] }[] };

/** The names and indices of a path to one place. */
const partsOf = ({ segments }: Query): (string | number)[] | undefined => {
  const parts = segments.map(({ selectors: [selector, ...others] }) => {
    if (!selector || others.length > 0) return undefined;
    if ('name' in selector && typeof selector.name === 'string') return selector.name;
    return 'index' in selector && typeof selector.index === 'number' && selector.index >= 0
      ? selector.index
      : undefined;
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
};

/** Whether a mapping can lead to this place. */
const isMappable = (parts: readonly (string | number)[]): boolean =>
  parts.length <= 32 && readMappingPath(pathTo(parts)).ok;

/** An answer as a tree, with its status and headers. Each value can be mapped. */
export const Answer = ({ block, set, sample, table }: Props) => {
  const fields = useFields();
  const [chosen, setChosen] = useState<{ path: string; value: Json }>();
  const [refused, setRefused] = useState(false);
  const mapped = useMemo(() => fieldsByPath(block[table]), [block, table]);
  const { status, headers, body, isTruncated } = sample;
  const read = useMemo(() => readSample(body, isTruncated), [body, isTruncated]);
  const line = (path: string, value: Json) => (
    <Line
      key={path}
      path={path}
      value={value}
      fields={mapped.get(path) ?? []}
      choose={() => setChosen({ path, value })}
    />
  );
  return (
    <Stack gap="xs" component="section" aria-label={words.test.answer}>
      <Text size="sm" fw={500}>
        {words.test.answer}
      </Text>
      <Text size="xs" c="dimmed">
        {words.test.answerHint}
      </Text>
      {status !== null && line('$status', status)}
      {read && (
        <JsonTree
          // Another answer begins anew.
          key={body}
          label={words.test.answerTree}
          document={read.document}
          fieldsOf={(parts) => mapped.get(pathTo(parts)) ?? []}
          choose={(parts, value) => {
            const isPossible = isMappable(parts);
            setRefused(!isPossible);
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is nothing else in parsed JSON
            if (isPossible) setChosen({ path: pathTo(parts), value: value as Json });
          }}
        />
      )}
      {refused && (
        <Text size="xs" role="alert">
          {words.test.tooDeep}
        </Text>
      )}
      {!read && body !== null && body !== '' && (
        <>
          <CodeLines label={words.test.answerText} value={body.slice(0, 20_000)} />
          {line('$body', body)}
        </>
      )}
      {isTruncated && (
        <Text size="xs" c="dimmed">
          {words.test.truncated}
        </Text>
      )}
      {headers && Object.keys(headers).length > 0 && (
        <details className="request-headers">
          <summary>{words.test.answerHeaders(Object.keys(headers).length)}</summary>
          {Object.entries(headers)
            .slice(0, 100)
            .map(([name, value]) => line(`$headers.${name}`, [value].flat().join(', ')))}
        </details>
      )}
      {chosen && fields && (
        <MapValue
          {...chosen}
          block={block}
          set={set}
          table={table}
          fields={fields}
          close={() => setChosen(undefined)}
        />
      )}
    </Stack>
  );
};

type LineProps = { path: string; value: Json; fields: readonly string[]; choose: () => void };

/** A value beside the tree, with a button that maps it. */
const Line = ({ path, value, fields, choose }: LineProps) => (
  <Group gap={6} wrap="nowrap" align="flex-start" className="request-answer-line">
    <ActionIcon size="sm" variant="default" aria-label={words.test.mapPath(path)} onClick={choose}>
      <IconPlus size={12} aria-hidden />
    </ActionIcon>
    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
      <Code>{path}</Code> {showValue(value)}{' '}
      {fields.map((field) => (
        <span key={field} className="status json-field" data-tone="good">
          {words.test.mappedTo(field)}
        </span>
      ))}
    </Text>
  </Group>
);
