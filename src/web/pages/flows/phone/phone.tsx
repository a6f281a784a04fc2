import './phone.css';
import { ActionIcon, CloseButton, Group, SegmentedControl, Text, Title, Tooltip } from '@mantine/core';
import { IconRotateClockwise } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { sayContact } from '../../../parts/contact-link.tsx';
import { Avatar } from '../../../parts/avatar.tsx';
import { api } from '../../../api/client.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { Chat } from './chat.tsx';
import { titleOf } from './say.ts';
import { ScenariosPart } from './scenarios/scenarios.tsx';
import { useScenarios } from './scenarios/use-scenarios.ts';
import type { PhoneContact } from './session.ts';
import { Setup } from './setup.tsx';
import { Steps } from './steps.tsx';
import { usePhone, type PhoneState } from './use-phone.ts';
import { words } from './words.ts';

const parts = ['chat', 'steps', 'setup', 'scenarios'] as const;

type Part = (typeof parts)[number];

/** A phone on which the draft is tried: what its contact sees and writes, and what blocks do meanwhile. */
export const Phone = () => {
  const phone = usePhone();
  const scenarios = useScenarios();
  const [part, setPart] = useState<Part>('chat');
  useAsked(phone, setPart);
  return (
    <section className="phone" aria-label={words.title}>
      <div className="phone-head">
        <Head phone={phone} />
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={words.part}
          value={part}
          onChange={(next) => setPart(parts.find((known) => known === next) ?? 'chat')}
          data={parts.map((value) => ({ value, label: words.parts[value] }))}
        />
      </div>
      <div className="phone-part">
        {part === 'chat' && <Chat phone={phone} />}
        {part === 'steps' && <Steps phone={phone} />}
        {part === 'setup' && <Setup phone={phone} />}
        {part === 'scenarios' && (
          <ScenariosPart
            phone={phone}
            scenarios={scenarios}
            openInChat={(scenario) => {
              phone.openScenario(scenario);
              setPart('chat');
            }}
          />
        )}
      </div>
    </section>
  );
};

/** Shows what a link asks for: `?phone=scenarios`, or `?phone=chat&version=3`. */
const useAsked = ({ playVersion }: PhoneState, setPart: (part: Part) => void): void => {
  const [params] = useSearchParams();
  const { key } = useLocation();
  const asked = params.get('phone');
  const version = Number(params.get('version') ?? 0);
  const done = useRef('');
  useEffect(() => {
    if (asked === null || done.current === key) return;
    done.current = key;
    setPart(parts.find((known) => known === asked) ?? 'chat');
    if (version > 0) playVersion(version);
  }, [asked, version, key, playVersion, setPart]);
};

/** With whom the flow talks, and on which version. */
const Head = ({ phone: { session, simulation, startOver } }: { phone: PhoneState }) => {
  const { definition, setSimulating } = useBuilder();
  const name = useNameOf(session.contact);
  const { version, start } = session;
  const plays = [
    version === undefined ? words.draft : words.version(version),
    ...(start === undefined ? [] : [words.startsAt(titleOf(definition, start))]),
  ];
  return (
    <div className="phone-wait">
      <span className="with-mark">
        <Avatar id={simulation?.contact.id ?? ''} name={name} size={32} />
        <span>
          <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <Text span size="xs" c="dimmed">
            {plays.join(' ')}
          </Text>
        </span>
      </span>
      <Group gap={6} wrap="nowrap">
        <Tooltip label={words.startOver}>
          <ActionIcon variant="default" size="lg" aria-label={words.startOver} onClick={startOver}>
            <IconRotateClockwise size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <CloseButton size="lg" aria-label={words.close} onClick={() => setSimulating(false)} />
      </Group>
    </div>
  );
};

const useNameOf = (contact: PhoneContact): string => {
  const id = typeof contact === 'string' ? contact : '';
  const { data: known } = api.useQuery('get', '/contacts/{id}', { params: { path: { id } } }, { enabled: id !== '' });
  if (typeof contact === 'string') return known ? sayContact(known) : words.contact;
  return [contact.first_name, contact.last_name].filter(Boolean).join(' ') || words.contact;
};
