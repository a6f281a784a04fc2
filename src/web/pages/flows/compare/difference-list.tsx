import { Group, Stack, Text } from '@mantine/core';
import { Status } from '../../../parts/status.tsx';
import { isPosition, orderPart } from '../draft/parts.ts';
import { ChangedTable } from './changed-table.tsx';
import type { Difference } from './differences.ts';
import { sayPart } from './say-part.ts';
import { words } from './words.ts';

/** The most differences that are shown. */
const mostShown = 100;

const tones = { added: 'good', removed: 'bad', changed: 'waiting' } as const;

type Props = {
  label: string;
  differences: readonly Difference[];
  /** What the two definitions are. */
  headings: readonly [before: string, after: string];
};

/** What two definitions have differently, part by part; each opens its fields side by side. */
export const DifferenceList = ({ label, differences, headings }: Props) => {
  if (differences.length === 0) return <Text size="sm">{words.same}</Text>;
  return (
    <Stack component="ul" gap={4} m={0} p={0} aria-label={label} style={{ listStyle: 'none' }}>
      {differences.slice(0, mostShown).map((one) => (
        <li key={one.part}>
          <One difference={one} headings={headings} />
        </li>
      ))}
      {differences.length > mostShown && (
        <li>
          <Text size="sm">{words.more(differences.length - mostShown)}</Text>
        </li>
      )}
    </Stack>
  );
};

const One = ({ difference, headings }: { difference: Difference } & Pick<Props, 'headings'>) => {
  const { part, kind, before, after } = difference;
  const head = (
    <Group component="span" display="inline-flex" gap="xs">
      <Status tone={tones[kind]}>{words.kinds[kind]}</Status>
      <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
        {sayPart(part)}
      </Text>
    </Group>
  );
  if (isPosition(part) || part === orderPart) return head;
  return (
    <details>
      <summary>{head}</summary>
      <ChangedTable label={sayPart(part)} before={before} after={after} headings={headings} />
    </details>
  );
};
