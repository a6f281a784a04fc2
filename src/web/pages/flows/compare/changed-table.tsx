import { Code, Table, Text } from '@mantine/core';
import { isPlain } from '../draft/equal.ts';
import { changedFields, sayValue } from './changed-fields.ts';
import { words } from './words.ts';

type Props = {
  label: string;
  before: unknown;
  after: unknown;
  /** What the two values are. */
  headings: readonly [before: string, after: string];
};

/** Two values side by side: the fields that they have differently. */
export const ChangedTable = ({ label, before, after, headings }: Props) => (
  <Table aria-label={label} layout="fixed" withTableBorder verticalSpacing={4}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th w="24%">{words.field}</Table.Th>
        {headings.map((heading) => (
          <Table.Th key={heading}>{heading}</Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {changedFields(before, after).map((field) => (
        <Table.Tr key={field.path} style={{ verticalAlign: 'top' }}>
          <Table.Td>{field.path === '' ? '' : <Code>{field.path}</Code>}</Table.Td>
          {[field.before, field.after].map((value, index) => (
            <Table.Td key={headings[index]}>
              <Value value={value} isWhole={field.path === ''} />
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

const Value = ({ value, isWhole }: { value: unknown; isWhole: boolean }) => (
  <Text
    size="sm"
    {...(value === undefined && { c: 'dimmed' })}
    {...((isPlain(value) || Array.isArray(value)) && { ff: 'monospace' })}
    style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
  >
    {sayValue(value, isWhole ? words.removed : words.notThere)}
  </Text>
);
