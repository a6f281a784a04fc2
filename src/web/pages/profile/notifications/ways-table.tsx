import { Checkbox, Select, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { scopes, type Scope } from '../../../../shared/notifications/scopes.ts';
import { words } from '../words.ts';
import type { Settings } from './use-settings.ts';

/** The waits that can be chosen, in minutes. */
const waits = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1_440];

const never = 'never';

type Props = { settings: Settings; change: (changes: Partial<Settings>) => void };

/** Of which conversations the user hears, by which ways. */
export const WaysTable = ({ settings, change }: Props) => {
  // On phones a mail is chosen below the name: a third column would be off the screen.
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false });
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.scope}</Table.Th>
          <Table.Th>{words.sound}</Table.Th>
          <Table.Th>{words.desktop}</Table.Th>
          {!isNarrow && <Table.Th>{words.mail}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {scopes.map((scope) => (
          <Row
            key={scope}
            scope={scope}
            ways={settings[scope]}
            isNarrow={isNarrow}
            change={(ways) => change({ [scope]: { ...settings[scope], ...ways } })}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
};

type Ways = Settings[Scope];

type RowProps = { scope: Scope; ways: Ways; isNarrow: boolean; change: (ways: Partial<Ways>) => void };

const Row = ({ scope, ways, isNarrow, change }: RowProps) => {
  const { name, hint } = words.scopes[scope];
  const { mail_after_minutes: minutes } = ways;
  const offered = [...new Set([...waits, ...(minutes === null ? [] : [minutes])])].toSorted(
    (one, other) => one - other,
  );
  const mail = (
    <Select
      aria-label={`${name}: ${words.mail}`}
      {...(isNarrow && { label: words.mail })}
      w={150}
      size="xs"
      allowDeselect={false}
      data={[
        { value: never, label: words.noMail },
        ...offered.map((wait) => ({ value: String(wait), label: words.after(wait) })),
      ]}
      value={minutes === null ? never : String(minutes)}
      onChange={(value) => change({ mail_after_minutes: value === never ? null : Number(value) })}
    />
  );
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {name}
        <Text size="xs" c="dimmed" fw={400}>
          {hint}
        </Text>
        {isNarrow && mail}
      </Table.Th>
      {(['sound', 'desktop'] as const).map((way) => (
        <Table.Td key={way}>
          <Checkbox
            aria-label={`${name}: ${words[way]}`}
            checked={ways[way]}
            onChange={({ currentTarget }) => change({ [way]: currentTarget.checked })}
          />
        </Table.Td>
      ))}
      {!isNarrow && <Table.Td>{mail}</Table.Td>}
    </Table.Tr>
  );
};
