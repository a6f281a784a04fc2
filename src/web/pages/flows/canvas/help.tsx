import { Code, Modal, Table } from '@mantine/core';
import { useFocusBack } from '../../../parts/use-focus-back.ts';
import { words } from './words.ts';

/** All keys of the canvas. */
export const Help = ({ close }: { close: () => void }) => {
  useFocusBack();
  const all = words.help.keys;
  return (
    <Modal opened onClose={close} title={words.help.title} size="lg">
      <Table>
        <Table.Tbody>
          {all.map(([keys, does]) => (
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
