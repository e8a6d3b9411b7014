//! Instances of a target, and how one is begun anew.

use tandem_isa::{Answers, Batch, Border, Misbehaviour, MisbehaviourKind};

use super::spec::{Connected, StartError};
use super::talk::{Opened, malformed};

/// The way to an instance that runs. After an error it is asked nothing more.
pub(super) trait Link: Send {
    /// See [`Border::load`].
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour>;
    /// See [`Border::execute`].
    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour>;
    /// See [`Border::arena_hash`].
    fn hash(&mut self) -> Result<u32, Misbehaviour>;
    /// See [`Border::reset`].
    fn reset(&mut self) -> Result<(), Misbehaviour>;
}

/// An instance that was started and knows an instruction set.
pub(super) struct Instance {
    pub name: String,
    pub opened: Opened,
    pub link: Box<dyn Link>,
}

/// Starts an instance; nothing if it does not know the instruction set.
type Start = Box<dyn FnMut() -> Result<Option<Instance>, StartError> + Send>;

/// A border whose instance is ended as soon as it has misbehaved, and begun anew when that is asked for.
pub(super) struct Renewable {
    name: String,
    opened: Opened,
    /// How an instance is started, or why none can be.
    start: Result<Start, Misbehaviour>,
    /// The same in a word, for messages.
    begun: &'static str,
    /// Nothing after a misbehaviour.
    link: Option<Box<dyn Link>>,
}

impl Renewable {
    /// Starts the first instance.
    pub fn connect(
        begun: &'static str,
        mut start: impl FnMut() -> Result<Option<Instance>, StartError> + Send + 'static,
    ) -> Result<Option<Connected>, StartError> {
        Ok(start()?.map(|Instance { name, opened, link }| {
            let Opened { implemented, claims, max_steps } = opened.clone();
            let (own_name, start): (_, Start) = (name.clone(), Box::new(start));
            let border = Renewable { name: own_name, opened, start: Ok(start), begun, link: Some(link) };
            Connected { name, implemented, claims, max_steps: max_steps as usize, border: Box::new(border) }
        }))
    }

    /// Somebody who could not be started: every call fails.
    pub fn lost(why: Misbehaviour) -> Self {
        let opened = Opened { implemented: Vec::new(), claims: None, max_steps: 1 };
        Renewable { name: String::new(), opened, start: Err(why), begun: "started", link: None }
    }

    fn ask<T>(&mut self, ask: impl FnOnce(&mut dyn Link) -> Result<T, Misbehaviour>) -> Result<T, Misbehaviour> {
        let Some(link) = &mut self.link else {
            let unstarted = Misbehaviour::new(MisbehaviourKind::Crashed, "it has not been started again");
            return Err(self.start.as_ref().err().cloned().unwrap_or(unstarted));
        };
        ask(&mut **link).inspect_err(|_| self.link = None)
    }
}

impl Border for Renewable {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        self.ask(|link| link.load(arena))
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        self.ask(|link| link.execute(batch, answers))
    }

    fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
        self.ask(|link| link.hash())
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        self.ask(|link| link.reset())
    }

    fn restart(&mut self) -> Result<(), Misbehaviour> {
        // The one before is ended first.
        self.link = None;
        let start = self.start.as_mut().map_err(|why| why.clone())?;
        match start().map_err(|error| error.misbehaviour())? {
            Some(Instance { name, opened, link }) if name == self.name && opened == self.opened => {
                self.link = Some(link);
                Ok(())
            }
            _ => Err(malformed(format!("{} again it is another implementation", self.begun))),
        }
    }
}
