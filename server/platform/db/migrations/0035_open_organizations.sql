-- Where the installation lets anyone create an organization, the link goes to an address by mail. The network that asked
-- is kept with it for the limits. Links that the server prints have neither.
alter table organization_invitations
  add column email text,
  add column network text,
  add constraint organization_invitations_mailed check ((email is null) = (network is null));
