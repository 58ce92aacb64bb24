-- When somebody last showed a second step, or a passkey, in a session. Earlier sessions have shown none as far as is
-- known, so they are asked once.
alter table sessions add column step_proved_at timestamptz;
