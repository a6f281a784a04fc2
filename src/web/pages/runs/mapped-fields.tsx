import { Code, Table } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { runWords } from '../../words/runs.ts';

type Mapped = Pick<Schemas['TestedRequest']['fields'][number], 'path' | 'field' | 'type' | 'outcome'> & {
  value?: unknown;
  problem?: string;
};

/** What of an answer went into which field, or why it did not. */
export const MappedFields = ({ fields }: { fields: readonly Mapped[] }) => {
  if (fields.length === 0) return null;
  return (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={runWords.request.fields}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{runWords.request.path}</Table.Th>
            <Table.Th>{runWords.request.field}</Table.Th>
            <Table.Th>{runWords.request.value}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((mapped) => (
            <Table.Tr key={`${mapped.path} ${mapped.field}`}>
              <Table.Td>
                <Code>{mapped.path}</Code>
              </Table.Td>
              <Table.Td>
                {mapped.field} {mapped.type !== null && `(${mapped.type})`}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {runWords.request.outcomes[mapped.outcome]}{' '}
                {mapped.outcome === 'set' && <Code>{JSON.stringify(mapped.value)}</Code>}
                {mapped.outcome === 'failed' && mapped.problem}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};
