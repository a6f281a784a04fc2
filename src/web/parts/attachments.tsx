import { Group, Stack, Text } from '@mantine/core';
import { IconMapPin, IconPaperclip, IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.ts';
import { unreachable } from '../../shared/unreachable.ts';
import { messageWords } from '../words/messages.ts';
import { OutLink } from './out-link.tsx';
import { useFreshFile } from './use-fresh-file.ts';

type Attachment = Schemas['Attachment'];
type File = Extract<Attachment, { url: string }>;
type Place = Extract<Attachment, { latitude: number }>;

/** What a message has beside its text. */
export const Attachments = ({ attachments }: { attachments: readonly Attachment[] }) =>
  attachments.length > 0 && (
    <Stack gap={6} component="ul" aria-label={messageWords.attachments} m={0} p={0} style={{ listStyle: 'none' }}>
      {attachments.map((attachment, index) => (
        // Attachments of a message never change.
        <li key={index}>
          <Shown {...attachment} />
        </li>
      ))}
    </Stack>
  );

const Shown = (attachment: Attachment) => {
  switch (attachment.type) {
    case 'location':
      return <Line icon={<IconMapPin size={14} aria-hidden />}>{placeOf(attachment)}</Line>;
    case 'contact':
      return (
        <Line icon={<IconUser size={14} aria-hidden />}>
          {attachment.name} {attachment.phone}
        </Line>
      );
    case 'image':
      return <Picture {...attachment} />;
    case 'file':
      return <FileCard {...attachment} />;
    case 'audio':
    case 'video':
      return <Player {...attachment} />;
    default:
      return unreachable(attachment);
  }
};

const Player = (file: File) => {
  const { type, url, name, isGone, lookUp } = useFreshFile(file);
  if (isGone) return <Gone name={name} />;
  const Kind = type === 'video' ? 'video' : 'audio';
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- who sends it gives none
  return <Kind controls preload="none" src={url} aria-label={name} style={{ maxWidth: '100%' }} onError={lookUp} />;
};

/** A file that is older than the operator keeps them. */
const Gone = ({ name }: { name: string }) => (
  <Line icon={<IconPaperclip size={14} aria-hidden />}>{messageWords.gone(name)}</Line>
);

const FileCard = (file: File) => {
  const { url, name, size, isGone } = useFreshFile(file);
  if (isGone) return <Gone name={name} />;
  return (
    <Group gap={8} wrap="nowrap" px={10} py={6} bd="1px solid var(--card-line)" bdrs="sm">
      <IconPaperclip size={18} aria-hidden style={{ flex: 'none' }} />
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <OutLink href={url}>{name}</OutLink>
        <Text size="xs">{messageWords.size(size)}</Text>
      </div>
    </Group>
  );
};

const Line = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
    {icon} {children}
  </Text>
);

const placeOf = ({ latitude, longitude }: Place) => {
  const place = `${latitude}, ${longitude}`;
  return <OutLink href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`}>{place}</OutLink>;
};

/** Its place is kept before it is there, so that nothing moves. */
const Picture = (file: File) => {
  const { url, thumbnail_url: thumbnail, name, width, height, isGone, lookUp } = useFreshFile(file);
  if (isGone) return <Gone name={name} />;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      <img
        src={thumbnail ?? url}
        alt={name}
        loading="lazy"
        onError={lookUp}
        width={width ?? undefined}
        height={height ?? undefined}
        style={{ maxWidth: 'min(100%, 20rem)', maxHeight: '20rem', width: 'auto', height: 'auto', borderRadius: 6 }}
      />
    </a>
  );
};
