import { TemplateInput } from '../template-input.tsx';
import { Misfit } from './misfit.tsx';
import { useAt, type ControlProps } from './use-at.ts';

type Props = ControlProps & {
  lines?: number;
  placeholder?: string;
  /** Whether an empty text is taken away. */
  isOptional?: boolean;
  isLabelHidden?: boolean;
  place?: 'text' | 'value' | 'json' | 'url' | 'header' | 'form';
  /** What is wrong with it, beside the problems of its path. */
  error?: string | undefined;
};

/** A text with placeholders of the open block. */
export const TemplateField = ({ path, isOptional = false, ...input }: Props) => {
  const { value, set } = useAt(path);
  if (value !== undefined && typeof value !== 'string') return <Misfit path={path} label={input.label} />;
  return (
    <TemplateInput
      {...input}
      path={path}
      value={value ?? ''}
      onChange={(text) => set(text === '' && isOptional ? undefined : text)}
    />
  );
};
