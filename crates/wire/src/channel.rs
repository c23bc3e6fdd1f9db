//! Messages over a stream: a 32-bit length, then the message.

use crate::format::{DecodeError, FrameInput, WireFormat};
use std::fmt;
use std::io::{self, Read, Write};

/// Limit on the length of a message. 16 MiB hold the probes of a very large test many times over.
pub const LONGEST: u32 = 16 << 20;

/// Why a message could not be sent or received.
#[derive(Debug)]
pub enum ChannelError {
    /// The other side is gone or too slow.
    Io(io::Error),
    /// The other side announces a length beyond [`LONGEST`].
    TooLong(u32),
    /// The bytes are not a message.
    Decode(DecodeError),
}

impl fmt::Display for ChannelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChannelError::Io(error) => write!(f, "{error}"),
            ChannelError::TooLong(length) => write!(f, "a message of {length} bytes is too long"),
            ChannelError::Decode(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ChannelError {}

impl From<io::Error> for ChannelError {
    fn from(error: io::Error) -> ChannelError {
        ChannelError::Io(error)
    }
}

/// Sends messages.
#[derive(Debug)]
pub struct MessageSender<W> {
    stream: W,
    frame: Vec<u8>,
}

impl<W: Write> MessageSender<W> {
    /// Over this stream.
    pub fn new(stream: W) -> MessageSender<W> {
        MessageSender { stream, frame: Vec::new() }
    }

    /// Sends a message, after those that wait, in one write.
    pub fn send(&mut self, message: &impl WireFormat) -> Result<(), ChannelError> {
        self.queue(message)?;
        self.flush()
    }

    /// Adds a message to those that wait for [`Self::flush`].
    pub fn queue(&mut self, message: &impl WireFormat) -> Result<(), ChannelError> {
        let start = self.frame.len();
        self.frame.extend_from_slice(&[0; 4]);
        message.put(&mut self.frame);
        let length = u32::try_from(self.frame.len() - start - 4).unwrap_or(u32::MAX);
        if length > LONGEST {
            self.frame.truncate(start);
            return Err(ChannelError::TooLong(length));
        }
        if let Some(place) = self.frame.get_mut(start..start + 4) {
            place.copy_from_slice(&length.to_le_bytes());
        }
        Ok(())
    }

    /// The number of bytes that wait.
    pub fn waiting(&self) -> usize {
        self.frame.len()
    }

    /// Sends the waiting messages in one write.
    pub fn flush(&mut self) -> Result<(), ChannelError> {
        let written = self.stream.write_all(&self.frame);
        self.frame.clear();
        written?;
        Ok(self.stream.flush()?)
    }
}

/// Receives messages. After a read that fails temporarily, such as by a time limit, the next call continues where it stopped.
#[derive(Debug)]
pub struct MessageReceiver<R> {
    stream: R,
    /// The part of the next frame that has arrived, its length first.
    frame: Vec<u8>,
}

/// The number of bytes of a frame's length.
const HEAD: usize = 4;

impl<R: Read> MessageReceiver<R> {
    /// Over this stream.
    pub fn new(stream: R) -> MessageReceiver<R> {
        MessageReceiver { stream, frame: Vec::new() }
    }

    /// The stream.
    pub fn stream(&mut self) -> &mut R {
        &mut self.stream
    }

    /// The next message; `None` if the stream ends between two messages.
    pub fn receive<M: WireFormat>(&mut self) -> Result<Option<M>, ChannelError> {
        if !self.fill(HEAD)? {
            return if self.frame.is_empty() { Ok(None) } else { Err(ended()) };
        }
        let length = u32::from_le_bytes(self.frame.first_chunk::<HEAD>().copied().unwrap_or_default());
        if length > LONGEST {
            return Err(ChannelError::TooLong(length));
        }
        if !self.fill(HEAD + length as usize)? {
            return Err(ended());
        }
        let mut input = FrameInput::new(self.frame.get(HEAD..).unwrap_or_default());
        let message = M::take(&mut input).and_then(|message| input.finish().map(|()| message));
        self.frame.clear();
        message.map(Some).map_err(ChannelError::Decode)
    }

    /// Reads until the frame has `wanted` bytes; false if the stream ends before. If the announced length is too large, little
    /// more memory is allocated than was sent.
    fn fill(&mut self, wanted: usize) -> io::Result<bool> {
        const STEP: usize = 64 << 10;
        while self.frame.len() < wanted {
            let have = self.frame.len();
            self.frame.resize(wanted.min(have + STEP), 0);
            let read = self.stream.read(self.frame.get_mut(have..).unwrap_or_default());
            self.frame.truncate(have + read.as_ref().map_or(0, |read| *read));
            match read {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

fn ended() -> ChannelError {
    io::Error::from(io::ErrorKind::UnexpectedEof).into()
}
