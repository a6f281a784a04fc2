/** What a status is to who reads it. */
export type Tone = 'good' | 'bad' | 'busy' | 'waiting' | 'off';

/** A status in words; its colour, which `page.css` has, says nothing that the words do not. */
export const Status = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className="status" data-tone={tone}>
    {children}
  </span>
);
