import { Modal, Switch, Table } from '@mantine/core';
import { useFocusBack } from '../../../parts/use-focus-back.ts';
import { words as all } from '../words.ts';

const words = all.keys;

const rows: readonly (readonly [keys: readonly string[], does: keyof typeof words.rows])[] = [
  [['J'], 'next'],
  [['K'], 'previous'],
  [['Enter'], 'enter'],
  [['F'], 'search'],
  [['R'], 'reply'],
  [['N'], 'note'],
  [['/'], 'canned'],
  [['Ctrl', 'Enter'], 'send'],
  [['A'], 'assign'],
  [['S'], 'snooze'],
  [['E'], 'close'],
  [['U'], 'unread'],
  [['Esc'], 'leave'],
  [['Ctrl', 'K'], 'find'],
  [['?'], 'sheet'],
];

type Props = { isOn: boolean; setOn: (isOn: boolean) => void; close: () => void };

/** All keys of the inbox. Single keys can be turned off: speech input types letters. */
export const KeySheet = ({ isOn, setOn, close }: Props) => {
  useFocusBack();
  return (
    <Modal opened onClose={close} title={words.title}>
      <Table aria-label={words.title}>
        <Table.Tbody>
          {rows.map(([keys, does]) => (
            <Table.Tr key={does}>
              <Table.Th scope="row" w={120}>
                {keys.map((key) => (
                  <kbd key={key} className="inbox-key">
                    {key}
                  </kbd>
                ))}
              </Table.Th>
              <Table.Td>{words.rows[does]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch mt="md" label={words.on} checked={isOn} onChange={({ currentTarget }) => setOn(currentTarget.checked)} />
    </Modal>
  );
};
