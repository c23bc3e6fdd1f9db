//! Messages over a stream: a 32-bit length, then the message.

use crate::format::{DecodeError, Input, Wire};
use std::fmt;
use std::io::{self, Read, Write};

/// No message is longer: 16 MiB hold the probes of a very large test many times over.
pub const LONGEST: u32 = 16 << 20;

/// Why a message could not be sent or received.
#[derive(Debug)]
pub enum ChannelError {
    /// The other side is gone, or too slow.
    Io(io::Error),
    /// The other side claims a length beyond [`LONGEST`].
    TooLong(u32),
    /// What it sent is no message.
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
pub struct Sender<W> {
    stream: W,
    frame: Vec<u8>,
}

impl<W: Write> Sender<W> {
    /// Over this stream.
    pub fn new(stream: W) -> Sender<W> {
        Sender { stream, frame: Vec::new() }
    }

    /// Sends one message in one write.
    pub fn send(&mut self, message: &impl Wire) -> Result<(), ChannelError> {
        self.frame.clear();
        self.frame.extend_from_slice(&[0; 4]);
        message.put(&mut self.frame);
        let length = u32::try_from(self.frame.len() - 4).unwrap_or(u32::MAX);
        if length > LONGEST {
            return Err(ChannelError::TooLong(length));
        }
        if let Some(start) = self.frame.first_chunk_mut::<4>() {
            *start = length.to_le_bytes();
        }
        self.stream.write_all(&self.frame)?;
        Ok(self.stream.flush()?)
    }
}

/// Receives messages.
#[derive(Debug)]
pub struct Receiver<R> {
    stream: R,
    frame: Vec<u8>,
}

impl<R: Read> Receiver<R> {
    /// Over this stream.
    pub fn new(stream: R) -> Receiver<R> {
        Receiver { stream, frame: Vec::new() }
    }

    /// The next message; `None` where the stream ends between two.
    pub fn receive<M: Wire>(&mut self) -> Result<Option<M>, ChannelError> {
        let mut length = [0; 4];
        if !self.fill_or_end(&mut length)? {
            return Ok(None);
        }
        let length = u32::from_le_bytes(length);
        if length > LONGEST {
            return Err(ChannelError::TooLong(length));
        }
        self.frame.clear();
        // `take` reads what arrives: a length that lies allocates no more than was really sent.
        let read = (&mut self.stream).take(u64::from(length)).read_to_end(&mut self.frame)?;
        if read < length as usize {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        let mut input = Input::new(&self.frame);
        let message = M::take(&mut input).and_then(|message| input.finish().map(|()| message));
        message.map(Some).map_err(ChannelError::Decode)
    }

    fn fill_or_end(&mut self, buffer: &mut [u8]) -> io::Result<bool> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.stream.read(rest) {
                Ok(0) if filled == 0 => return Ok(false),
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}
