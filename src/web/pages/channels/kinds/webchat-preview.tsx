import { IconMessageCircle, IconX } from '@tabler/icons-react';
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
};

/** How the chat looks on a page, as its fields say now. */
export const WebchatPreview = ({ title, greeting, color, position }: Props) => {
  const back = /^#[0-9a-f]{6}$/i.test(color ?? '') ? (color ?? '') : '#0b7285';
  const looks = { background: back, color: inkOn(back) };
  return (
    <div className="webchat-preview" data-side={position ?? 'right'} role="img" aria-label={words.preview}>
      <div className="webchat-preview-panel">
        <div className="webchat-preview-head" style={looks}>
          <span>{title}</span>
          <IconX size={16} aria-hidden />
        </div>
        <div className="webchat-preview-thread">
          {greeting && <span data-by="business">{greeting}</span>}
          <span style={looks}>{words.previewText}</span>
        </div>
      </div>
      <div className="webchat-preview-button" style={looks}>
        <IconMessageCircle size={24} aria-hidden />
      </div>
    </div>
  );
};
