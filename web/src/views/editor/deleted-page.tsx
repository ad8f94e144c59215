import { useRouter } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';
import { CopyButton } from '../../document/code.tsx';
import { writeDraft } from '../../drafts/stored-draft.ts';

interface Props {
  /** Names the draft in this browser. */
  draftName: string;
  text: string;
  /** Where the author goes on after the text was discarded. */
  base: string;
}

/** The text of an author whose page others have deleted. It cannot be saved, but copied. */
export function DeletedPage({ draftName, text, base }: Props) {
  const { navigate } = useRouter();
  const discard = () => {
    writeDraft(draftName, undefined);
    navigate(base);
  };
  return (
    <>
      <Title text="This page was deleted" />
      <p>Your text could not be saved. It is only on this device:</p>
      <p className="actions">
        <CopyButton text={() => text} />
        <button type="button" className="button" onClick={discard}>
          Discard my text
        </button>
      </p>
      <div className="editor">
        <section>
          <textarea aria-label="Your text" readOnly value={text} />
        </section>
      </div>
    </>
  );
}
