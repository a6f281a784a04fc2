import { SegmentedControl, Stack } from '@mantine/core';
import { IconMessageCircle, IconPaperclip, IconSend2, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { defaultTexts, type TextName } from '../../../../../packages/webchat/src/default-texts.ts';
import { findOfficeHours, officeAt } from '../../../../shared/messages/channels/webchat/office-hours.ts';
import { useNow } from '../../../parts/use-now.ts';
import { words as all } from '../words.ts';
import './webchat-preview.css';

const words = all.webchat;

/** White or black, whichever is easier to read on a color as `#rrggbb`. */
const inkOn = (color: string): string => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
};

type Props = {
  title: string;
  greeting?: string | null | undefined;
  color?: string | null | undefined;
  position?: 'left' | 'right' | null | undefined;
  texts?: Partial<Record<TextName, string | undefined>> | null | undefined;
  office_hours?: unknown;
};

/** How the chat looks on a page, as its fields say now. */
export const WebchatPreview = ({ title, greeting, color, position, texts, office_hours: written }: Props) => {
  const say = (name: TextName): string => texts?.[name] || defaultTexts[name];
  const back = /^#[0-9a-f]{6}$/i.test(color ?? '') ? (color ?? '') : '#0b7285';
  const looks = { background: back, color: inkOn(back) };
  const hours = findOfficeHours(written);
  const now = useNow();
  const [chosen, choose] = useState<string>();
  const time = chosen ?? (hours && !officeAt(hours, new Date(now)).isOpen ? 'away' : 'open');
  const chat = (
    <div className="webchat-preview" data-side={position ?? 'right'} role="img" aria-label={words.preview}>
      <div className="webchat-preview-panel">
        <div className="webchat-preview-head" style={looks}>
          <div>
            <b>{title}</b>
            {say('hours') && <small>{say('hours')}</small>}
          </div>
          <IconX size={16} aria-hidden />
        </div>
        {hours && time === 'away' && <div className="webchat-preview-away">{say('away')}</div>}
        <div className="webchat-preview-thread">
          {greeting && <small>{say('bot')}</small>}
          {greeting && <span data-by="business">{greeting}</span>}
          <span style={looks}>{words.previewText}</span>
          <small data-by="visitor">{say('sent')}</small>
        </div>
        <div className="webchat-preview-composer">
          <IconPaperclip size={16} aria-hidden />
          <span>{say('placeholder')}</span>
          <IconSend2 size={16} aria-hidden />
        </div>
      </div>
      <div className="webchat-preview-button" style={looks}>
        <IconMessageCircle size={24} aria-hidden />
      </div>
    </div>
  );
  if (!hours) return chat;
  return (
    <Stack gap="xs">
      {chat}
      <SegmentedControl
        size="xs"
        aria-label={words.officeHours.preview}
        value={time}
        onChange={choose}
        data={[
          { value: 'open', label: words.officeHours.open },
          { value: 'away', label: words.officeHours.away },
        ]}
      />
    </Stack>
  );
};
