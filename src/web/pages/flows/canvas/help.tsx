import { Code, Modal, Table } from '@mantine/core';
import { useFocusBack } from '../../../parts/use-focus-back.ts';

type Props = { title: string; keys: readonly (readonly [keys: string, does: string])[]; close: () => void };

/** All keys of the canvas, or of the list. */
export const Help = ({ title, keys, close }: Props) => {
  useFocusBack();
  return (
    <Modal opened onClose={close} title={title} size="lg">
      <Table>
        <Table.Tbody>
          {keys.map(([keys, does]) => (
            <Table.Tr key={keys}>
              <Table.Th scope="row" style={{ fontWeight: 400 }}>
                <Code>{keys}</Code>
              </Table.Th>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
};
