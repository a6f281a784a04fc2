import { List, Tabs } from '@mantine/core';
import type { Variant } from '../../../shared/facts/names.ts';
import { CodeLines } from '../../parts/copy.tsx';
import { Section } from '../../parts/section.tsx';
import { forVariant } from './receivers/for-variant.ts';
// oxlint-disable-next-line import/default -- its text is the export
import node from './receivers/receiver.mjs?raw';
import php from './receivers/receiver.php?raw';
import python from './receivers/receiver.py?raw';
import { words } from './words.ts';

const receivers = [
  ['Node', node],
  ['Python', python],
  ['PHP', php],
] as const;

/** What an endpoint of this variant has to do, and whole receivers that do it. */
export const Receivers = ({ variant }: { variant: Variant }) => (
  <Section title={words.receiving.receiver} description={words.receiving.receiverHint}>
    <List size="sm" spacing={4}>
      {words.receiving.needs[variant].map((need) => (
        <List.Item key={need}>{need}</List.Item>
      ))}
    </List>
    <Tabs defaultValue={receivers[0][0]} keepMounted={false}>
      <Tabs.List mb="sm">
        {receivers.map(([language]) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {receivers.map(([language, source]) => (
        <Tabs.Panel key={language} value={language}>
          <CodeLines value={forVariant(source, variant)} label={words.receiving.receiverIn(language)} maxHeight={480} />
        </Tabs.Panel>
      ))}
    </Tabs>
  </Section>
);
